//! What goes wrong on the way to a server → one line with a hint.
//!
//! Must not show a key, nor more of a server's message than its first line.

use qdrant_client::QdrantError;
use tonic::{Code, Status};
use wherein_engine::{Error, ErrorKind};

use crate::options::QdrantOptions;

/// The status behind an error, where the server gave one.
pub(crate) fn status(error: &QdrantError) -> Option<&Status> {
    match error {
        QdrantError::ResponseError { status }
        | QdrantError::ResourceExhaustedError { status, .. } => Some(status),
        _ => None,
    }
}

/// Whether the same may go well in a while.
pub(crate) fn is_passing(error: &QdrantError) -> bool {
    match (error, status(error)) {
        (QdrantError::Io(_), _) => true,
        (_, Some(status)) => match status.code() {
            Code::Unavailable | Code::DeadlineExceeded | Code::ResourceExhausted => true,
            Code::Aborted | Code::Cancelled => true,
            // A connection that breaks while an answer comes.
            Code::Unknown | Code::Internal => is_transport(status),
            _ => false,
        },
        _ => false,
    }
}

fn is_transport(status: &Status) -> bool {
    let message = status.message();
    ["transport", "h2 protocol", "connection", "broken pipe", "error reading a body"]
        .iter()
        .any(|what| message.contains(what))
}

/// The error as the engine tells it.
pub(crate) fn told(error: &QdrantError, options: &QdrantOptions) -> Error {
    let (url, collection) = (&options.url, &options.collection);
    let Some(status) = status(error) else {
        return Error::network(format!(
            "cannot reach the Qdrant server at {url}: {}",
            first(&error.to_string())
        ))
        .with_hint(reach(options));
    };
    let what = first(status.message());
    match status.code() {
        // Not `Forbidden`: whoever asks us over HTTP did nothing wrong.
        Code::Unauthenticated | Code::PermissionDenied => {
            { Error::network(format!("the Qdrant server at {url} refused the API key")) }
                .with_hint("give the right one by WHEREIN_QDRANT_API_KEY")
        }
        Code::NotFound => Error::new(
            ErrorKind::NotIndexed,
            format!("there is no collection {collection} at {url}"),
        )
        .with_hint("publish a repository with: wherein index --store qdrant"),
        Code::InvalidArgument | Code::FailedPrecondition => Error::index_format(format!(
            "the collection {collection} does not take this index: {what}"
        ))
        .with_hint(
            "it may be of another model or another program: name a new one with --collection",
        ),
        _ if is_passing(error) => {
            Error::network(format!("the Qdrant server at {url} does not answer: {what}"))
                .with_hint(reach(options))
        }
        code => Error::network(format!("the Qdrant server at {url} failed ({code:?}): {what}"))
            .with_hint("its log says more"),
    }
}

/// No answer in time.
pub(crate) fn late(options: &QdrantOptions) -> Error {
    let (url, seconds) = (&options.url, options.timeout.as_secs_f32());
    Error::network(format!("the Qdrant server at {url} did not answer within {seconds} s"))
        .with_hint(reach(options))
}

fn reach(options: &QdrantOptions) -> &'static str {
    match options.url.starts_with("https://") {
        true => {
            "is it running, is this its gRPC address (--qdrant-url, port 6334, not 6333), and is its certificate trusted here (SSL_CERT_FILE names others)?"
        }
        false => {
            "is it running, and is this its gRPC address (port 6334, not 6333)? --qdrant-url says where it is asked"
        }
    }
}

/// The first line of a message, cut where it is long; what a library says of its own types is no help to anybody.
fn first(message: &str) -> String {
    if message.starts_with("Failed to connect") {
        return "there is no connection".to_owned();
    }
    message.lines().next().unwrap_or("").chars().take(200).collect()
}
