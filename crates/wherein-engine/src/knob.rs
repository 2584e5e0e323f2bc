//! temporary
pub(crate) fn knob(name: &'static str, default: f32) -> f32 {
    static K: std::sync::OnceLock<std::collections::HashMap<String, f32>> =
        std::sync::OnceLock::new();
    let map = K.get_or_init(|| {
        std::env::var("KNOBS")
            .unwrap_or_default()
            .split(',')
            .filter_map(|p| {
                let (a, b) = p.split_once('=')?;
                Some((a.to_owned(), b.parse().ok()?))
            })
            .collect()
    });
    map.get(name).copied().unwrap_or(default)
}
