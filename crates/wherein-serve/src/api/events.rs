//! What happens to indexes, as it happens: server-sent events, each index once and then again whenever it changes.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{self, Stream, StreamExt};
use tokio::sync::mpsc;

use super::App;
use crate::folder::Folder;
use crate::folders::Change;

/// How often a silent stream shows that it lives.
const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// Events that a slow listener may lag behind.
const N_WAITING: usize = 64;

/// Tells of indexes: `index` with a whole index, `removed` with an id.
#[utoipa::path(get, path = "/api/events", tag = "indexes",
    responses((status = 200, body = String, content_type = "text/event-stream")))]
pub(super) async fn events(
    State(app): State<App>,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let (sender, receiver) = mpsc::channel(N_WAITING);
    let stopping = app.stopping.clone();
    tokio::spawn(async move { tell(app, sender).await });
    let told = stream::unfold(receiver, |mut receiver| async move {
        Some((Ok(receiver.recv().await?), receiver))
    });
    let told = told.take_until(async move { stopping.cancelled().await });
    Sse::new(told).keep_alive(KeepAlive::new().interval(KEEP_ALIVE))
}

/// Tells of all folders until nobody listens.
async fn tell(app: App, sender: mpsc::Sender<Event>) {
    let mut changes = app.folders.subscribe();
    for folder in app.folders.all() {
        follow(folder, sender.clone());
    }
    loop {
        let change = tokio::select! {
            change = changes.recv() => change,
            () = sender.closed() => return,
        };
        match change {
            Ok(Change::Added(folder)) => follow(folder, sender.clone()),
            Ok(Change::Removed(id)) => {
                let data = serde_json::json!({ "id": id }).to_string();
                if sender.send(Event::default().event("removed").data(data)).await.is_err() {
                    return;
                }
            }
            // Lagging behind is mended by a new connection, which begins with everything.
            Err(_) => return,
        }
    }
}

/// Tells of one folder whenever it changes.
fn follow(folder: Arc<Folder>, sender: mpsc::Sender<Event>) {
    tokio::spawn(async move {
        let mut changed = folder.subscribe();
        loop {
            changed.borrow_and_update();
            let data = serde_json::to_string(&folder.wire()).unwrap_or_default();
            if sender.send(Event::default().event("index").data(data)).await.is_err() {
                return;
            }
            tokio::select! {
                changed = changed.changed() => if changed.is_err() || folder.is_closed() { return },
                () = sender.closed() => return,
            }
        }
    });
}
