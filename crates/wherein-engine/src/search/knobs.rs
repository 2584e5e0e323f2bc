//! Figures of the ranking from `WHEREIN_KNOBS`, for measurements without a compiler.
//!
//! To be removed with its `mod` line and its one call when the figures are chosen.

use crate::request::SearchRequest;

// EXPERIMENT: `mix=0.5,window=5,n=150,kw=0.5,sem=0.5,depth=100,method=minmax`; what cannot be read is ignored.
pub(crate) fn knobs(request: &SearchRequest) -> SearchRequest {
    let mut request = request.clone();
    let text = std::env::var("WHEREIN_KNOBS").unwrap_or_default();
    for (name, value) in text.split(',').filter_map(|pair| pair.trim().split_once('=')) {
        let (best, fusion) = (&mut request.best_lines, &mut request.fusion);
        match name {
            "mix" => best.mix = value.parse().unwrap_or(best.mix),
            "window" => best.window_lines = value.parse().unwrap_or(best.window_lines).max(1),
            "n" => best.n_candidates = value.parse().unwrap_or(best.n_candidates),
            "kw" => fusion.keyword_weight = value.parse().unwrap_or(fusion.keyword_weight),
            "sem" => fusion.semantic_weight = value.parse().unwrap_or(fusion.semantic_weight),
            "depth" => fusion.depth = value.parse().unwrap_or(fusion.depth),
            "k" => fusion.k = value.parse().unwrap_or(fusion.k),
            "method" => fusion.method = value.parse().unwrap_or(fusion.method),
            _ => {}
        }
    }
    request
}
