//! The client with its runtime: requests that are tried again while the server is away.
//!
//! Must not know what is asked.

use std::fmt;
use std::future::Future;
use std::time::Duration;

use qdrant_client::{Qdrant, QdrantError};
use tokio::runtime::Runtime;
use wherein_engine::{Error, Result};

use crate::options::QdrantOptions;
use crate::retry::Pauses;
use crate::trouble;

/// Threads that wait for the server.
const WORKERS: usize = 2;
/// How long a server may take to accept a connection.
const CONNECT: Duration = Duration::from_secs(5);
/// Connections: requests in flight beyond a few share them.
const CONNECTIONS: usize = 4;
/// How long a question is tried again while the server is away.
pub(crate) const QUESTION_PATIENCE: Duration = Duration::from_millis(500);

/// A client that can be used from anywhere.
pub(crate) struct Client {
    pub(crate) options: QdrantOptions,
    pub(crate) qdrant: Qdrant,
    runtime: Option<Runtime>,
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("options", &self.options).finish_non_exhaustive()
    }
}

impl Client {
    /// A client that has not connected yet.
    pub(crate) fn new(options: QdrantOptions) -> Result<Client> {
        options.check()?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(WORKERS)
            .thread_name("wherein-qdrant")
            .enable_all()
            .build()
            .map_err(|e| Error::bug(format!("no runtime could be started: {e}")))?;
        let mut config = Qdrant::from_url(&options.url)
            .timeout(options.timeout)
            .connect_timeout(CONNECT)
            .skip_compatibility_check()
            .keep_alive_while_idle();
        config.api_key.clone_from(&options.api_key);
        config.set_pool_size(CONNECTIONS);
        let qdrant = {
            let _entered = runtime.enter();
            // Nothing is connected yet, so it is the address that is wrong.
            config.build().map_err(|_| QdrantOptions::no_address(&options.url))?
        };
        Ok(Client { options, qdrant, runtime: Some(runtime) })
    }

    /// Waits for `work` on the own runtime.
    pub(crate) fn wait<T: Send>(&self, work: impl Future<Output = T> + Send) -> Result<T> {
        let runtime = self.runtime.as_ref().ok_or_else(|| Error::bug("the runtime has ended"))?;
        if tokio::runtime::Handle::try_current().is_err() {
            return Ok(runtime.block_on(work));
        }
        // A thread of somebody else's runtime may not wait for another one; a thread of its own may.
        let waited = std::thread::scope(|scope| scope.spawn(|| runtime.block_on(work)).join());
        waited.map_err(|_| Error::bug("a thread that waited for a server has panicked"))
    }

    /// A request, tried again for as long as `patience` lasts where the server is away.
    pub(crate) async fn tried<T, F>(
        &self,
        patience: Duration,
        request: impl Fn() -> F + Send,
    ) -> Result<T>
    where
        F: Send + Future<Output = std::result::Result<T, QdrantError>>,
    {
        let mut pauses = Pauses::new(patience);
        loop {
            let answer = tokio::time::timeout(self.options.timeout, request()).await;
            let (error, is_passing) = match answer {
                Ok(Ok(answer)) => return Ok(answer),
                Ok(Err(e)) => (trouble::told(&e, &self.options), trouble::is_passing(&e)),
                Err(_) => (trouble::late(&self.options), true),
            };
            match pauses.next().filter(|_| is_passing) {
                Some(pause) => tokio::time::sleep(pause).await,
                None => return Err(error),
            }
        }
    }

    /// The same from outside, for questions.
    pub(crate) fn asked<T: Send, F>(&self, request: impl Fn() -> F + Send) -> Result<T>
    where
        F: Send + Future<Output = std::result::Result<T, QdrantError>>,
    {
        self.wait(self.tried(QUESTION_PATIENCE, request))?
    }

    /// The same from outside, for writes.
    pub(crate) fn written<T: Send, F>(&self, request: impl Fn() -> F + Send) -> Result<T>
    where
        F: Send + Future<Output = std::result::Result<T, QdrantError>>,
    {
        self.wait(self.tried(self.options.patience, request))?
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // Waiting for it would panic where somebody else's runtime drops it.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_of_another_runtime_may_wait() {
        let client = Client::new(QdrantOptions::new("http://localhost:1", "none")).unwrap();
        let another = Runtime::new().unwrap();
        let waited = another.block_on(async { client.wait(async { 7 }) });
        assert_eq!(waited.unwrap(), 7);
        let waited = another.block_on(another.spawn_blocking(move || client.wait(async { 8 })));
        assert_eq!(waited.unwrap().unwrap(), 8);
    }
}
