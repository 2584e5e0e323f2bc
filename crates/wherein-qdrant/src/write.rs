//! How points are written: in batches that are neither too many nor too large, a few of them in flight.
//!
//! Must not lose a point: what was taken is written, or the error says so.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use qdrant_client::qdrant::{PointStruct, UpsertPointsBuilder};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use wherein_engine::{Error, Point, Result};

use crate::client::Client;
use crate::payload;

/// Points of one request.
const BATCH_POINTS: usize = 256;
/// Bytes of one request, about: a server takes 32 MB.
const BATCH_BYTES: usize = 4 << 20;
/// Requests under way at once.
const IN_FLIGHT: usize = 4;

/// Writes points; how many there were.
pub(crate) fn upsert(
    client: &Arc<Client>,
    points: &mut (dyn Iterator<Item = Point> + Send),
    done: &(dyn Fn(u64) + Sync),
) -> Result<u64> {
    let n_written = Arc::new(AtomicU64::new(0));
    let permits = Arc::new(Semaphore::new(IN_FLIGHT));
    client.wait(async {
        let mut under_way: JoinSet<Result<()>> = JoinSet::new();
        let mut batches = Batches { points };
        // Points are made while others are written; who makes them blocks this thread alone.
        while let Some(batch) = tokio::task::block_in_place(|| batches.next()) {
            while let Some(ended) = under_way.try_join_next() {
                ended.map_err(|e| Error::bug(e.to_string()))??;
                done(n_written.load(Ordering::Relaxed));
            }
            let permit = Arc::clone(&permits).acquire_owned().await;
            let permit = permit.map_err(|e| Error::bug(e.to_string()))?;
            let (client, n_written) = (Arc::clone(client), Arc::clone(&n_written));
            under_way.spawn(async move {
                let _permit = permit;
                let n = batch.len() as u64;
                send(&client, batch).await?;
                n_written.fetch_add(n, Ordering::Relaxed);
                Ok(())
            });
        }
        while let Some(ended) = under_way.join_next().await {
            ended.map_err(|e| Error::bug(e.to_string()))??;
            done(n_written.load(Ordering::Relaxed));
        }
        Ok(n_written.load(Ordering::Relaxed))
    })?
}

/// Writes one batch, again and again while the server is away.
pub(crate) async fn send(client: &Client, batch: Vec<PointStruct>) -> Result<()> {
    let request = UpsertPointsBuilder::new(&client.options.collection, batch).wait(true).build();
    let sent = || client.qdrant.upsert_points(request.clone());
    client.tried(client.options.patience, sent).await.map(drop)
}

struct Batches<'a> {
    points: &'a mut (dyn Iterator<Item = Point> + Send),
}

impl Batches<'_> {
    fn next(&mut self) -> Option<Vec<PointStruct>> {
        let (mut batch, mut n_bytes) = (Vec::new(), 0);
        for point in &mut *self.points {
            n_bytes += size(&point);
            batch.push(payload::written(point));
            if batch.len() >= BATCH_POINTS || n_bytes >= BATCH_BYTES {
                break;
            }
        }
        (!batch.is_empty()).then_some(batch)
    }
}

/// Bytes of a point on its way, about.
fn size(point: &Point) -> usize {
    match point {
        Point::Blob(blob) => blob.bytes.len() / 3 * 4 + 300,
        Point::Chunk(chunk) => {
            let dense = chunk.dense.as_ref().map_or(0, |dense| 4 * dense.len());
            dense + 8 * chunk.sparse.len() + 40 * chunk.name_tokens.len() + 600
        }
    }
}
