//! When a long-lived command is to end: Ctrl-C, or the system's polite request.

/// Ends when the user or the system wants the program to stop.
pub async fn stopped() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        // Where the system refuses a handler its own action ends the program.
        if let Ok(mut terminated) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = terminated.recv() => return,
                _ = tokio::signal::ctrl_c() => return,
            }
        }
    }
    let _ = tokio::signal::ctrl_c().await;
}
