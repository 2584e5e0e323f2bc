//! `cargo xtask bench`: times the workloads of a data file and archives the raw figures.
//!
//! Workloads are data, results are kept with the machine and the versions they were measured on. Medians, never
//! single runs; nothing here asserts a time. Peak memory comes from GNU time where it is installed.

mod trees;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use anyhow::{Context, bail};

use crate::{chores, say};

/// One timed command.
#[derive(Debug, serde::Deserialize)]
struct Workload {
    name: String,
    bar: String,
    runs: usize,
    cd: String,
    before: Option<String>,
    command: String,
}

#[derive(Debug, serde::Deserialize)]
struct File {
    workload: Vec<Workload>,
}

/// What the runs of one workload took.
struct Timing {
    milliseconds: Vec<f64>,
    peak_kib: Option<u64>,
}

/// What the arguments ask for.
struct Asked {
    file: PathBuf,
    out: PathBuf,
    places: BTreeMap<String, String>,
}

/// Runs all workloads of a file: `FILE [--set NAME=VALUE]… --out DIR`.
pub(crate) fn run(root: &Path, arguments: &[String]) -> anyhow::Result<ExitCode> {
    let mut asked = parse(arguments)?;
    let text = std::fs::read_to_string(&asked.file)
        .with_context(|| format!("cannot read {}", asked.file.display()))?;
    let file: File = toml::from_str(&text)?;
    let binary = chores::target_folder(root).join("release/wherein");
    if !binary.exists() {
        bail!("there is no {}; run: cargo build --release --package wherein", binary.display());
    }
    let scratch = std::env::temp_dir().join(format!("wherein-bench-{}", std::process::id()));
    std::fs::create_dir_all(&scratch)?;
    asked.places.insert("wherein".to_owned(), binary.display().to_string());
    asked.places.insert("index".to_owned(), folder(&scratch, "index")?);
    // Made only where a workload asks for it.
    if text.contains("{tree}") {
        asked.places.insert("tree".to_owned(), trees::small_files(&scratch)?);
    }
    if text.contains("{symbols}") {
        asked.places.insert("symbols".to_owned(), trees::many_symbols(&scratch)?);
    }
    let mut timings = Vec::new();
    for workload in &file.workload {
        let timing = time(workload, &asked.places)?;
        say(&format!("{:<52} {:>9.1} ms", workload.name, median(&timing.milliseconds)));
        timings.push((workload, timing));
    }
    archive(root, &asked, &timings)?;
    std::fs::remove_dir_all(&scratch)?;
    Ok(ExitCode::SUCCESS)
}

fn parse(arguments: &[String]) -> anyhow::Result<Asked> {
    let (mut file, mut out, mut places) = (None, None, BTreeMap::new());
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--out" => out = rest.next().map(PathBuf::from),
            "--set" => {
                let pair = rest.next().and_then(|pair| pair.split_once('='));
                let (name, value) = pair.context("--set takes NAME=VALUE")?;
                places.insert(name.to_owned(), value.to_owned());
            }
            _ => file = Some(PathBuf::from(argument)),
        }
    }
    let file = file.context("name a file of workloads, such as benches/keyword.toml")?;
    Ok(Asked { file, out: out.context("--out DIR says where the figures go")?, places })
}

fn folder(scratch: &Path, name: &str) -> anyhow::Result<String> {
    let folder = scratch.join(name);
    std::fs::create_dir_all(&folder)?;
    Ok(folder.display().to_string())
}

fn time(workload: &Workload, places: &BTreeMap<String, String>) -> anyhow::Result<Timing> {
    let mut timing = Timing { milliseconds: Vec::new(), peak_kib: None };
    // The first run warms the file cache and makes the index where the workload keeps one.
    for run in 0..=workload.runs {
        if let Some(before) = &workload.before {
            command(before, &workload.cd, places)?.status()?;
        }
        let mut timed = command(&workload.command, &workload.cd, places)?;
        let started = Instant::now();
        let status = timed.status()?;
        let elapsed = started.elapsed().as_secs_f64() * 1000.0;
        if status.code().is_none_or(|code| code > 1) {
            bail!("{}: {timed:?} ended with {status}", workload.name);
        }
        if run > 0 {
            timing.milliseconds.push(elapsed);
        }
    }
    if let Some(before) = &workload.before {
        command(before, &workload.cd, places)?.status()?;
    }
    timing.peak_kib = peak_memory(workload, places);
    Ok(timing)
}

/// The largest resident size of one more run.
fn peak_memory(workload: &Workload, places: &BTreeMap<String, String>) -> Option<u64> {
    let measured = format!("time -f %M {}", workload.command);
    let mut command = command(&measured, &workload.cd, places).ok()?;
    let output = command.stderr(Stdio::piped()).output().ok()?;
    String::from_utf8_lossy(&output.stderr).lines().last()?.trim().parse().ok()
}

/// A command line with its places filled in, run through `sh` so that it reads as a person would type it.
fn command(line: &str, cd: &str, places: &BTreeMap<String, String>) -> anyhow::Result<Command> {
    let mut command = Command::new("sh");
    let line = fill(line, places)?;
    // `exec` spares the shell's own process; `time` is the program, not the shell's word.
    let line = line
        .strip_prefix("time ")
        .map_or(format!("exec {line}"), |rest| format!("exec env time {rest}"));
    command
        .args(["-c", &line])
        .current_dir(fill(cd, places)?)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    Ok(command)
}

fn fill(text: &str, places: &BTreeMap<String, String>) -> anyhow::Result<String> {
    let mut filled = text.to_owned();
    for (name, value) in places {
        filled = filled.replace(&format!("{{{name}}}"), value);
    }
    match filled.split_once('{').and_then(|(_, rest)| rest.split_once('}')) {
        Some((name, _)) => bail!("say where {name} is: --set {name}=DIR"),
        None => Ok(filled),
    }
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}

fn archive(root: &Path, asked: &Asked, timings: &[(&Workload, Timing)]) -> anyhow::Result<()> {
    std::fs::create_dir_all(&asked.out)?;
    let mut table = String::from(
        "| workload | bar | median | fastest | slowest | runs | peak memory |\n|---|---|---|---|---|---|---|\n",
    );
    let mut raw = "workload,milliseconds\n".to_owned();
    for (workload, timing) in timings {
        let least = timing.milliseconds.iter().copied().fold(f64::INFINITY, f64::min);
        let most = timing.milliseconds.iter().copied().fold(0.0, f64::max);
        let peak = timing.peak_kib.map_or("-".to_owned(), |kib| format!("{} MiB", kib / 1024));
        writeln!(
            table,
            "| {} | {} | {:.1} ms | {least:.1} | {most:.1} | {} | {peak} |",
            workload.name,
            workload.bar,
            median(&timing.milliseconds),
            timing.milliseconds.len(),
        )?;
        for value in &timing.milliseconds {
            writeln!(raw, "\"{}\",{value:.3}", workload.name)?;
        }
    }
    std::fs::write(asked.out.join("speed.csv"), raw)?;
    std::fs::write(asked.out.join("speed.md"), format!("{}\n{table}", machine(root)))?;
    Ok(())
}

/// The machine and the versions behind the figures.
fn machine(root: &Path) -> String {
    let said = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).current_dir(root).output();
        output
            .ok()
            .and_then(|o| String::from_utf8(o.stdout).ok())
            .map_or_else(String::new, |text| text.lines().next().unwrap_or("").to_owned())
    };
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu.lines().find_map(|line| line.strip_prefix("model name")).unwrap_or("");
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    format!(
        "Machine: {}, {cores} cores, {}. {}; {}; revision {}.\n",
        model.trim_start_matches([' ', '\t', ':']),
        said("uname", &["-sr"]),
        said("rustc", &["--version"]),
        said("rg", &["--version"]),
        said("git", &["rev-parse", "--short", "HEAD"]),
    )
}
