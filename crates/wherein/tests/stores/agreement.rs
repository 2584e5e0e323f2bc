//! The promise of a published index: it answers as the folder's own does.

use wherein_engine::{Filter, Mode};

use super::asking::{MODES, filters, requests, same};
use super::corpus::{Corpus, builtin, publish, published};
use super::place::{Place, on_every_store};

#[test]
fn a_shop_is_answered_alike_by_every_store() {
    on_every_store(|place| agrees(&Corpus::shop(builtin()), place, (&MODES, &filters())));
}

#[test]
fn code_is_answered_alike_by_every_store() {
    // Its answers are longer, and the filters are those of the shop.
    let few = [filters().swap_remove(0), filters().swap_remove(6)];
    on_every_store(|place| agrees(&Corpus::search_code(builtin()), place, (&MODES, &few)));
}

#[test]
fn words_alone_are_answered_alike_by_every_store() {
    let modes = [Mode::Keyword, Mode::Hybrid, Mode::Exact];
    let all = [Filter::default()];
    on_every_store(|place| agrees(&Corpus::shop(None), place, (&modes, &all)));
}

fn agrees(corpus: &Corpus, place: &Place, (modes, filters): (&[Mode], &[Filter])) {
    let local = corpus.engine();
    publish(&local, place);
    let remote = published(&local, place);
    let what = format!("{:?}", place.store);
    same(&what, (&local, &remote), &requests(modes, filters));
}
