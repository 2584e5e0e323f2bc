//! The repositories that a command was asked for: chosen among those of the settings, and each opened as its own folder.
//!
//! One that cannot answer is told of beside the answers of the others. Nothing is fetched here: a question answers from
//! what was cloned.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use wherein_engine::{Error, ErrorKind, Head, Result, SearchRequest};

use super::published;
use super::session::{Asked, Purpose, Session, find_place, place_at};
use crate::cli::{CommonArgs, FilterArgs, RepoArgs};
use crate::output::Printer;
use crate::output::progress::Progress;
use crate::place::Place;
use crate::repositories::{self, Clones, Declared, Repository, Source};
use crate::settings::{Flags, Origin, Settings, Sources, StoreKind};

/// Chosen repositories with the settings that they are opened by.
#[derive(Debug)]
pub(super) struct Chosen {
    /// In order of name.
    pub(super) repositories: Vec<Repository>,
    /// Those of the folder that the command was given in.
    pub(super) settings: Settings,
    sources: Sources,
    common: CommonArgs,
}

/// What one repository answered.
#[derive(Debug)]
pub(super) struct Part<A> {
    pub(super) name: String,
    /// The folder that its paths are relative to.
    pub(super) searched: PathBuf,
    pub(super) answer: A,
}

/// What all of them answered, in order of name.
#[derive(Debug)]
pub(super) struct Parts<A> {
    pub(super) parts: Vec<Part<A>>,
    /// What has to be said of some of them, each line with the name in front; without where it holds for all.
    pub(super) degraded: Vec<String>,
}

impl Chosen {
    /// The repositories that were named.
    pub(super) fn named(flags: &Flags, common: &CommonArgs, repo: &RepoArgs) -> Result<Chosen> {
        let known = Known::read(flags, common)?;
        let all = match published::collection(&known.settings)? {
            Some(collection) => with_published(known.declared(), collection.heads()?),
            None => known.declared().to_vec(),
        };
        let chosen = repositories::choose(&repo.names, &all)?;
        Ok(known.choose(chosen))
    }

    /// Keeps the `n` that a question is most likely answered in, where a collection can tell: what has to be said of that.
    pub(super) fn narrow(&mut self, request: &SearchRequest, n: usize) -> Result<Option<String>> {
        let n_chosen = self.repositories.len();
        let Some(collection) = published::collection(&self.settings)?.filter(|_| n_chosen > n)
        else {
            return Ok(None);
        };
        let known = collection.guard()?.map(|guard| guard.sparse);
        let sparse = published::sparse(&self.settings, known.as_ref())?;
        let names: Vec<String> = self.repositories.iter().map(|one| one.name.clone()).collect();
        let promising =
            wherein_engine::promising(&*collection, &sparse, request, (names.as_slice(), n))?;
        // Where no word is known anywhere, each is as good as the others.
        match promising.is_empty() {
            true => self.repositories.truncate(n),
            false => self.repositories.retain(|one| promising.contains(&one.name)),
        }
        let n_asked = self.repositories.len();
        Ok(Some(format!("asked the {n_asked} most promising of {n_chosen} repositories")))
    }

    /// The one that was named, for commands that are about one folder.
    pub(super) fn only(&self) -> Result<&Repository> {
        match &self.repositories[..] {
            [one] => Ok(one),
            all => {
                let names: Vec<&str> = all.iter().map(|one| one.name.as_str()).collect();
                Err(Error::usage(format!("{} repositories are named", all.len()))
                    .with_hint(format!("name one of {}", names.join(", "))))
            }
        }
    }

    /// Opens one of them, with PATH arguments and globs as seen from its own folder.
    pub(super) fn open(
        &self,
        repository: &Repository,
        places: (&[PathBuf], &[String]),
        purpose: Purpose,
    ) -> Result<Session> {
        self.open_as(&self.settings, repository, places, purpose)
    }

    fn open_as(
        &self,
        settings: &Settings,
        repository: &Repository,
        (paths, globs): (&[PathBuf], &[String]),
        purpose: Purpose,
    ) -> Result<Session> {
        let is_published = settings.store.kind == StoreKind::Qdrant;
        let root = match repository.searched() {
            // The collection answers where there is no tree.
            Err(_) if is_published && purpose != Purpose::Index => {
                let place = Place::elsewhere(&repository.name, paths, globs)?;
                let mut settings = settings.clone();
                settings.store.repository = Some(repository.name.clone());
                return Session::at(place, settings, purpose);
            }
            root => root?,
        };
        let common = CommonArgs { root: Some(root.clone()), ..self.common.clone() };
        let place = place_at(&root, &common, paths, globs, settings)?;
        let own = self.sources.for_root(&place.root)?;
        let mut settings = settings.for_another(&own, &repository.exclude);
        settings.store.repository.clone_from(&repository.published_as);
        Session::at(place, settings, purpose)
    }

    /// Asks each of them, as many at once as there may be threads.
    ///
    /// # Errors
    /// The first one's where none can answer.
    pub(super) fn ask<A: Send>(
        &self,
        places: (&[PathBuf], &FilterArgs),
        purpose: Purpose,
        question: impl Fn(&mut Session) -> Result<Asked<A>> + Sync,
    ) -> Result<Parts<A>> {
        let (mut parts, mut said, mut first) = (Vec::new(), Vec::new(), None);
        let answers = self.ask_all(places, purpose, &question);
        for (Repository { name, .. }, asked) in self.repositories.iter().zip(answers) {
            match asked {
                Ok((searched, Asked { answer, rebuilt, degraded })) => {
                    let rebuilt = rebuilt.map(|why| format!("the index was built again: {why}"));
                    said.push((name, rebuilt.into_iter().chain(degraded).collect()));
                    parts.push(Part { name: name.clone(), searched, answer });
                }
                Err(error) if error.kind() == ErrorKind::Cancelled => return Err(error),
                Err(error) => {
                    said.push((name, vec![not_asked(&error)]));
                    first.get_or_insert((name, error));
                }
            }
        }
        match first {
            Some((name, error)) if parts.is_empty() => Err(of(name, &error)),
            _ => Ok(Parts { parts, degraded: degraded(&said) }),
        }
    }

    /// The folder and the answer of each, in order of name. Sessions live on the thread that asks them.
    fn ask_all<A: Send>(
        &self,
        (paths, filter): (&[PathBuf], &FilterArgs),
        purpose: Purpose,
        question: &(impl Fn(&mut Session) -> Result<Asked<A>> + Sync),
    ) -> Vec<Result<(PathBuf, Asked<A>)>> {
        let progress = Progress::new(self.settings.quiet);
        let (n_all, n_workers, settings) = self.shared();
        let (next, n_done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let work = || {
            let mut mine = Vec::new();
            while let idx = next.fetch_add(1, Ordering::Relaxed)
                && let Some(repository) = self.repositories.get(idx)
            {
                let opened = self.open_as(&settings, repository, (paths, &filter.globs), purpose);
                let asked = opened.and_then(|mut session| {
                    let asked = question(&mut session)?;
                    Ok((session.place.searched, asked))
                });
                mine.push((idx, asked));
                let n_done = n_done.fetch_add(1, Ordering::Relaxed) + 1;
                if n_all > 1 {
                    progress.asked(n_done, n_all);
                }
            }
            mine
        };
        let mut all = std::thread::scope(|scope| {
            let others: Vec<_> = (1..n_workers).map(|_| scope.spawn(work)).collect();
            let mut all = work();
            for other in others {
                all.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            }
            all
        });
        progress.finish();
        all.sort_by_key(|(idx, _)| *idx);
        all.into_iter().map(|(_, asked)| asked).collect()
    }

    /// How many repositories there are, how many are asked at once, and the settings of each: threads are shared out,
    /// and there is one bar for all.
    fn shared(&self) -> (usize, usize, Settings) {
        let n_all = self.repositories.len();
        let cores = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let n_threads = self.settings.threads.unwrap_or_else(cores);
        let n_workers = n_threads.min(n_all);
        let mut settings = self.settings.clone();
        if n_all > 1 {
            settings.threads = Some((n_threads / n_workers.max(1)).max(1));
            settings.quiet = true;
        }
        (n_all, n_workers, settings)
    }

    /// A printer as the settings have it.
    pub(super) fn printer(&self) -> Printer {
        Printer::new(&self.settings)
    }
}

/// The declared repositories, none chosen yet.
pub(super) struct Known {
    settings: Settings,
    sources: Sources,
    common: CommonArgs,
}

impl Known {
    /// Reads the settings of the folder that the command was given in. One that nobody would search, such as the home
    /// folder, has no project file.
    pub(super) fn read(flags: &Flags, common: &CommonArgs) -> Result<Known> {
        let sources = Sources::read(flags)?;
        let early = sources.before_project()?;
        let settings = match find_place(common, &[], &[], &early) {
            Ok(place) => sources.for_root(&place.root)?,
            Err(_) => early,
        };
        Ok(Known { settings, sources, common: common.clone() })
    }

    pub(super) fn declared(&self) -> &[Declared] {
        &self.settings.repositories
    }

    /// With these of them, or with others.
    pub(super) fn choose(self, chosen: Vec<Declared>) -> Chosen {
        let Known { settings, sources, common } = self;
        let clones = Clones::of(&settings.index_base);
        let place = |declared| Repository::of(declared, &clones);
        let repositories = chosen.into_iter().map(place).collect();
        Chosen { repositories, settings, sources, common }
    }
}

/// Declared repositories, and those that a collection has beside them.
fn with_published(declared: &[Declared], heads: Vec<Head>) -> Vec<Declared> {
    let mut all = declared.to_vec();
    for Head { repository: name, .. } in heads {
        if !all.iter().any(|known| known.name == name) {
            let source = Source::Folder(PathBuf::from(&name));
            let (root, exclude, origin) = (String::new(), Vec::new(), Origin::Default);
            all.push(Declared { name, source, root, exclude, origin });
        }
    }
    all
}

/// The error with the repository's name in front.
pub(super) fn of(name: &str, error: &Error) -> Error {
    let named = Error::new(error.kind(), format!("{name}: {error}"));
    match error.hint() {
        Some(hint) => named.with_hint(hint),
        None => named,
    }
}

fn not_asked(error: &Error) -> String {
    match error.hint().filter(|_| error.kind() == ErrorKind::NotIndexed) {
        Some(hint) => format!("not asked: {error} ({hint})"),
        None => format!("not asked: {error}"),
    }
}

/// Each line with the name in front, but once without one where all say the same.
fn degraded(said: &[(&String, Vec<String>)]) -> Vec<String> {
    let is_common =
        |line: &String| said.len() > 1 && said.iter().all(|(_, lines)| lines.contains(line));
    let mut all: Vec<String> = Vec::new();
    for (name, lines) in said {
        for line in lines {
            let line = if is_common(line) { line.clone() } else { format!("{name}: {line}") };
            if !all.contains(&line) {
                all.push(line);
            }
        }
    }
    all
}

/// The current folder; where it is gone, paths are whole.
pub(super) fn here() -> PathBuf {
    std::env::current_dir().and_then(|folder| folder.canonicalize()).unwrap_or_default()
}

/// The path of a file as it can be opened from the folder `from`: relative where it lies below.
pub(super) fn openable(from: &Path, searched: &Path, path: &str) -> String {
    let whole = searched.join(path);
    let below = whole.strip_prefix(from).ok().filter(|_| !from.as_os_str().is_empty());
    below.unwrap_or(&whole).to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_holds_for_all_is_said_once() {
        let (a, b) = ("a".to_owned(), "b".to_owned());
        let said = [
            (&a, vec!["no model".to_owned()]),
            (&b, vec!["no model".to_owned(), "busy".to_owned()]),
        ];
        assert_eq!(degraded(&said), ["no model", "b: busy"]);
        assert_eq!(degraded(&said[..1]), ["a: no model"]);
    }

    #[test]
    fn paths_open_from_where_the_user_stands() {
        let searched = Path::new("/srv/src/api");
        assert_eq!(openable(Path::new("/srv"), searched, "a/b.rs"), "src/api/a/b.rs");
        assert_eq!(openable(Path::new("/home"), searched, "a/b.rs"), "/srv/src/api/a/b.rs");
    }
}
