//! The engine's port over a collection of a Qdrant server. Thin: each method says which request does the work.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use qdrant_client::qdrant::{
    Condition, CountPointsBuilder, DeletePointsBuilder, Filter, GetPointsBuilder,
    PointId as WireId, PointsIdsList, RetrievedPoint, ScrollPointsBuilder, UpdateCollectionBuilder,
    Value,
};
use wherein_engine::{
    CandidateQuestion, Candidates, Collection, Error, Guard, Head, Point, PointId, Result,
};

use crate::client::{Client, QUESTION_PATIENCE};
use crate::options::QdrantOptions;
use crate::payload::{
    self, BLOB, BYTES, CHUNK, DENSE, DIGEST, GUARD, HEAD, NAME_TOKENS, NAMES, PATH, REPOSITORY,
    TEXT, WHAT, uuid,
};
use crate::{ask, schema, write};

/// The id of the guard.
const GUARD_ID: PointId = 0x7768_6572_6569_6e00_0000_0000_0000_0001;
/// How long a guard that was read is believed: somebody may make the collection anew.
const GUARD_LIFE: Duration = Duration::from_secs(5);
/// Points of one page of a listing.
const PAGE: u32 = 4096;
/// Blobs that are fetched by one request.
const BLOBS_AT_ONCE: usize = 256;

/// Published indexes in one collection of a Qdrant server. Cheap to clone; connects with the first request.
#[derive(Debug, Clone)]
pub struct QdrantCollection {
    client: Arc<Client>,
    /// What a collection was made for does not change, and every question wants to know it.
    guard: Arc<Mutex<Option<(Guard, Instant)>>>,
}

impl QdrantCollection {
    /// A collection, whether it exists or not.
    ///
    /// # Errors
    /// [`wherein_engine::ErrorKind::Usage`] for an address or a name that cannot be one.
    pub fn new(options: QdrantOptions) -> Result<QdrantCollection> {
        Ok(QdrantCollection { client: Arc::new(Client::new(options)?), guard: Arc::default() })
    }

    /// Removes the whole collection, with every repository in it.
    ///
    /// # Errors
    /// Those of a [`Collection`].
    pub fn remove(&self) -> Result<()> {
        let Client { options, qdrant, .. } = &*self.client;
        self.client.written(|| qdrant.delete_collection(&options.collection)).map(drop)
    }

    fn collection(&self) -> &str {
        &self.client.options.collection
    }

    fn get(&self, ids: &[PointId], keys: &[&str]) -> Result<Vec<RetrievedPoint>> {
        let ids: Vec<WireId> = ids.iter().map(|id| uuid(*id).into()).collect();
        let request = GetPointsBuilder::new(self.collection(), ids)
            .with_payload(payload::only(keys))
            .with_vectors(false)
            .build();
        Ok(self.client.asked(|| self.client.qdrant.get_points(request.clone()))?.result)
    }

    /// Every point that fits, page by page; the server is waited for as long as `patience` lasts.
    fn each(
        &self,
        filter: &Filter,
        (keys, patience): (&[&str], Duration),
        visit: Visit<'_>,
    ) -> Result<()> {
        let mut offset: Option<WireId> = None;
        loop {
            let mut request = ScrollPointsBuilder::new(self.collection())
                .filter(filter.clone())
                .with_payload(payload::only(keys))
                .with_vectors(false)
                .limit(PAGE);
            if let Some(offset) = offset {
                request = request.offset(offset);
            }
            let request = request.build();
            let scroll = || self.client.qdrant.scroll(request.clone());
            let page = self.client.wait(self.client.tried(patience, scroll))??;
            for point in &page.result {
                if !visit(payload::id_of(point.id.as_ref()), &point.payload) {
                    return Ok(());
                }
            }
            offset = page.next_page_offset;
            if offset.is_none() {
                return Ok(());
            }
        }
    }

    fn exists(&self) -> Result<bool> {
        self.client.asked(|| self.client.qdrant.collection_exists(self.collection()))
    }

    fn is_empty(&self) -> Result<bool> {
        let request = ScrollPointsBuilder::new(self.collection()).limit(1).build();
        let page = self.client.asked(|| self.client.qdrant.scroll(request.clone()))?;
        Ok(page.result.is_empty())
    }

    fn noted(&self, id: PointId, what: &str, repository: &str, text: &str) -> Result<()> {
        let point = payload::note(id, what, repository, text);
        self.client.wait(write::send(&self.client, vec![point]))?
    }

    /// What the collection was made for, asked anew.
    fn read_guard(&self) -> Result<Option<Guard>> {
        if !self.exists()? {
            return Ok(None);
        }
        let points = self.get(&[GUARD_ID], &[TEXT])?;
        let Some(point) = points.first() else {
            // One that was made a moment ago by who did not come to write the guard.
            return if self.is_empty()? { Ok(None) } else { Err(self.foreign()) };
        };
        let text = payload::text(&point.payload, TEXT).ok_or_else(|| self.foreign())?;
        serde_json::from_str(text).map(Some).map_err(|_| self.foreign())
    }

    /// Lets the server index payloads and neighbours where it was kept from it, see [`schema::neighbours`]. Payloads come
    /// first: neighbours are linked within what they tell apart.
    fn index(&self) -> Result<()> {
        let Client { options, qdrant, .. } = &*self.client;
        let info = self.client.asked(|| qdrant.collection_info(self.collection()))?;
        if !info.result.is_some_and(schema::lacks_neighbours) {
            return Ok(());
        }
        for index in schema::indexes(options) {
            self.client.written(|| qdrant.create_field_index(index.clone()))?;
        }
        let request = UpdateCollectionBuilder::new(self.collection())
            .hnsw_config(schema::neighbours(true))
            .build();
        self.client.written(|| qdrant.update_collection(request.clone())).map(drop)
    }

    /// Refuses a collection that somebody made for other vectors, before anything is written into it.
    fn require_fit(&self, guard: &Guard) -> Result<()> {
        let Client { qdrant, .. } = &*self.client;
        let info = self.client.asked(|| qdrant.collection_info(self.collection()))?;
        let (has_sparse, own) = schema::vectors_of(info.result.unwrap_or_default());
        if !has_sparse {
            return Err(self.foreign());
        }
        let wanted = guard.model.as_ref().map(|model| u64::from(model.dimensions));
        if own == wanted {
            return Ok(());
        }
        let told = |size: Option<u64>| size.map_or("no".to_owned(), |n| n.to_string());
        let (name, own, wanted) = (self.name(), told(own), told(wanted));
        Err(Error::index_format(format!(
            "the collection {name} is made for vectors of {own} components, this index has {wanted}"
        ))
        .with_hint("name another one with --collection: a new one is made"))
    }

    fn foreign(&self) -> Error {
        let name = self.name();
        Error::index_format(format!("the collection {name} was not made by wherein"))
            .with_hint("name another one with --collection: a new one is made")
    }
}

/// Takes a point's id and payload; says whether to go on.
type Visit<'v> = &'v mut dyn FnMut(Option<PointId>, &HashMap<String, Value>) -> bool;

fn of(repository: &str, whats: &[&str]) -> Filter {
    let whats: Vec<String> = whats.iter().map(|what| (*what).to_owned()).collect();
    Filter::must([
        Condition::matches(REPOSITORY, repository.to_owned()),
        Condition::matches(WHAT, whats),
    ])
}

/// One condition for each token that no other one begins: what begins with a token is found with it.
fn beginnings(tokens: &[String]) -> Vec<Condition> {
    let mut wanted: Vec<&String> = tokens.iter().collect();
    wanted.sort();
    wanted.dedup_by(|longer, shorter| longer.starts_with(shorter.as_str()));
    let one = |token: &String| Condition::matches_text(NAME_TOKENS, token.as_str());
    wanted.into_iter().map(one).collect()
}

impl Collection for QdrantCollection {
    fn name(&self) -> String {
        format!("{} at {}", self.collection(), self.client.options.url)
    }

    fn guard(&self) -> Result<Option<Guard>> {
        let mut known = self.guard.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((guard, _)) = known.as_ref().filter(|(_, read)| read.elapsed() < GUARD_LIFE) {
            return Ok(Some(guard.clone()));
        }
        let guard = self.read_guard()?;
        *known = guard.clone().map(|guard| (guard, Instant::now()));
        Ok(guard)
    }

    fn create(&self, guard: &Guard) -> Result<()> {
        let Client { options, qdrant, .. } = &*self.client;
        if !self.exists()? {
            let request = schema::collection(options, guard);
            let made = self.client.written(|| qdrant.create_collection(request.clone()));
            // Somebody else may have made it meanwhile.
            if let Err(error) = made.map(drop)
                && !self.exists()?
            {
                return Err(error);
            }
        }
        self.require_fit(guard)?;
        if self.read_guard()?.is_some() {
            return Ok(());
        }
        let text = serde_json::to_string(guard).map_err(|e| Error::bug(e.to_string()))?;
        self.noted(GUARD_ID, GUARD, "", &text)
    }

    fn heads(&self) -> Result<Vec<Head>> {
        let mut heads: Vec<Head> = Vec::new();
        let filter = Filter::must([Condition::matches(WHAT, HEAD.to_owned())]);
        self.each(&filter, (&[TEXT], QUESTION_PATIENCE), &mut |_, payload| {
            let text = payload::text(payload, TEXT);
            heads.extend(text.and_then(|text| serde_json::from_str::<Head>(text).ok()));
            true
        })?;
        heads.sort_by(|a, b| a.repository.cmp(&b.repository));
        Ok(heads)
    }

    fn n_repositories(&self) -> Result<u64> {
        let filter = Filter::must([Condition::matches(WHAT, HEAD.to_owned())]);
        let request = CountPointsBuilder::new(self.collection()).filter(filter).exact(true).build();
        let counted = self.client.asked(|| self.client.qdrant.count(request.clone()))?;
        Ok(counted.result.map_or(0, |result| result.count))
    }

    fn head(&self, repository: &str) -> Result<Option<Head>> {
        let points = self.get(&[Head::id(repository)], &[TEXT])?;
        let Some(point) = points.first() else { return Ok(None) };
        let text = payload::text(&point.payload, TEXT).ok_or_else(|| self.foreign())?;
        serde_json::from_str(text).map(Some).map_err(|_| self.foreign())
    }

    fn present(&self, repository: &str) -> Result<HashMap<PointId, u64>> {
        let mut present = HashMap::new();
        let patience = self.client.options.patience;
        self.each(&of(repository, &[CHUNK, BLOB]), (&[DIGEST], patience), &mut |id, payload| {
            if let Some(id) = id {
                // One without a digest is written again.
                present.insert(id, payload::digest(payload).unwrap_or(0));
            }
            true
        })?;
        Ok(present)
    }

    fn upsert(
        &self,
        points: &mut (dyn Iterator<Item = Point> + Send),
        done: &(dyn Fn(u64) + Sync),
    ) -> Result<u64> {
        write::upsert(&self.client, points, done)
    }

    fn commit(&self, head: &Head) -> Result<()> {
        let text = serde_json::to_string(head).map_err(|e| Error::bug(e.to_string()))?;
        self.noted(Head::id(&head.repository), HEAD, &head.repository, &text)?;
        self.index()
    }

    fn delete(&self, _repository: &str, ids: &[PointId]) -> Result<()> {
        let ids: Vec<WireId> = ids.iter().map(|id| uuid(*id).into()).collect();
        let request = DeletePointsBuilder::new(self.collection())
            .points(PointsIdsList { ids })
            .wait(true)
            .build();
        self.client.written(|| self.client.qdrant.delete_points(request.clone())).map(drop)
    }

    fn forget(&self, repository: &str) -> Result<()> {
        self.delete(repository, &[Head::id(repository)])?;
        let request = DeletePointsBuilder::new(self.collection())
            .points(of(repository, &[CHUNK, BLOB]))
            .wait(true)
            .build();
        self.client.written(|| self.client.qdrant.delete_points(request.clone())).map(drop)
    }

    fn candidates(&self, question: &CandidateQuestion) -> Result<Candidates> {
        self.client.wait(ask::candidates(&self.client, question))?
    }

    fn blobs(&self, ids: &[PointId], deadline: Option<Duration>) -> Result<Vec<Option<Vec<u8>>>> {
        let request = |ids: &[PointId]| {
            let ids: Vec<WireId> = ids.iter().map(|id| uuid(*id).into()).collect();
            GetPointsBuilder::new(self.collection(), ids)
                .with_payload(payload::only(&[BYTES]))
                .with_vectors(false)
                .build()
        };
        let mut by_id = HashMap::with_capacity(ids.len());
        for some in ids.chunks(BLOBS_AT_ONCE) {
            let (request, client) = (request(some), &*self.client);
            let get = || client.qdrant.get_points(request.clone());
            let fetch = client.tried(QUESTION_PATIENCE, get);
            let answer = client.wait(ask::within(client, deadline, fetch))??;
            for point in &answer.result {
                if let Some(id) = payload::id_of(point.id.as_ref()) {
                    by_id.insert(id, payload::bytes(&point.payload));
                }
            }
        }
        Ok(ids.iter().map(|id| by_id.get(id).cloned().flatten()).collect())
    }

    fn defining(
        &self,
        repository: &str,
        (name, tokens): (&str, &[String]),
        limit: usize,
    ) -> Result<Vec<String>> {
        let exact = (!name.is_empty()).then(|| Condition::matches(NAMES, name.to_owned()));
        let alike = match beginnings(tokens) {
            all if all.is_empty() => None,
            all => Some(Filter::should(all).into()),
        };
        let (mut paths, mut seen) = (Vec::new(), HashSet::new());
        for condition in exact.into_iter().chain(alike) {
            let mut filter = of(repository, &[CHUNK]);
            filter.must.push(condition);
            self.each(&filter, (&[PATH], QUESTION_PATIENCE), &mut |_, payload| {
                let path = payload::text(payload, PATH).filter(|path| !seen.contains(*path));
                if let Some(path) = path.filter(|_| paths.len() < limit) {
                    seen.insert(path.to_owned());
                    paths.push(path.to_owned());
                }
                paths.len() < limit
            })?;
        }
        Ok(paths)
    }

    fn vectors(&self, ids: &[PointId]) -> Result<Vec<Option<Vec<f32>>>> {
        let mut by_id = HashMap::with_capacity(ids.len());
        for some in ids.chunks(BLOBS_AT_ONCE) {
            let some: Vec<WireId> = some.iter().map(|id| uuid(*id).into()).collect();
            let request = GetPointsBuilder::new(self.collection(), some)
                .with_payload(false)
                .with_vectors(payload::only_vector(DENSE))
                .build();
            let answer = self.client.asked(|| self.client.qdrant.get_points(request.clone()))?;
            for point in &answer.result {
                let vector = point.vectors.as_ref().and_then(payload::dense_of);
                if let (Some(id), Some(vector)) = (payload::id_of(point.id.as_ref()), vector) {
                    by_id.insert(id, vector);
                }
            }
        }
        Ok(ids.iter().map(|id| by_id.remove(id)).collect())
    }
}
