//! The language of people that a question is written in, by its small words or its script.
//!
//! Small words are what sentences cannot do without, and code seldom has; two of them and more than of English are clear evidence.
//! Lists are our own and short. Must stay silent where it is not clear: a wrong guess drops words that matter.

/// Small words of each language, folded, sorted; those written alike in code (`del`, `sin`) or common in English are left out.
const LANGUAGES: &[(&str, &[&str])] = &[
    (
        "Italian",
        &[
            "agli", "ai", "al", "alla", "alle", "anche", "che", "chi", "ci", "come", "con", "cosa",
            "cui", "da", "dal", "dalla", "degli", "dei", "del", "della", "delle", "dello", "di",
            "dopo", "dov", "dove", "e", "fa", "facciamo", "gli", "ha", "i", "il", "in", "io", "la",
            "le", "lo", "ma", "mentre", "nei", "nel", "nella", "nelle", "noi", "non", "o", "ogni",
            "per", "perché", "più", "prima", "qual", "quale", "quali", "quando", "quanto",
            "questa", "questo", "se", "senza", "si", "sono", "stato", "su", "sugli", "sul",
            "sulla", "tra", "troviamo", "tutti", "un", "una", "uno", "viene", "vengono", "è",
        ],
    ),
    (
        "Indonesian",
        &[
            "ada",
            "adalah",
            "agar",
            "akan",
            "apa",
            "apakah",
            "atau",
            "bagaimana",
            "bagian",
            "bahwa",
            "bila",
            "bisa",
            "dalam",
            "dan",
            "dapat",
            "dari",
            "dengan",
            "di",
            "dilakukan",
            "hanya",
            "harus",
            "ini",
            "itu",
            "jika",
            "juga",
            "kalau",
            "kami",
            "kapan",
            "karena",
            "ke",
            "kenapa",
            "kepada",
            "ketika",
            "kita",
            "lagi",
            "mana",
            "mengapa",
            "oleh",
            "pada",
            "para",
            "saat",
            "sampai",
            "saya",
            "sebelum",
            "sebuah",
            "secara",
            "seperti",
            "setelah",
            "siapa",
            "sudah",
            "supaya",
            "tanpa",
            "telah",
            "tetapi",
            "tidak",
            "untuk",
            "yang",
        ],
    ),
    (
        "Spanish",
        &[
            "a", "al", "antes", "así", "aunque", "como", "con", "cuando", "cuál", "cuándo",
            "cuánto", "cómo", "de", "del", "desde", "despues", "después", "donde", "dónde", "e",
            "el", "ella", "en", "entre", "es", "esta", "este", "esto", "está", "están", "hace",
            "hacemos", "hasta", "hay", "la", "las", "le", "lo", "los", "más", "nos", "o", "para",
            "pero", "por", "porque", "que", "quién", "qué", "se", "sea", "ser", "si", "sin",
            "sobre", "son", "su", "sus", "también", "todo", "todos", "tras", "un", "una", "unos",
            "y", "ya",
        ],
    ),
    (
        "Portuguese",
        &[
            "a", "ao", "aos", "as", "com", "como", "da", "das", "de", "depois", "do", "dos", "e",
            "ela", "ele", "em", "entre", "essa", "esse", "esta", "este", "está", "estão", "foi",
            "fazemos", "isso", "isto", "já", "mais", "mas", "na", "nas", "no", "nos", "nós", "não",
            "o", "onde", "os", "ou", "para", "pela", "pelo", "por", "porque", "quais", "qual",
            "quando", "que", "quem", "se", "sem", "ser", "seu", "sua", "são", "também", "um",
            "uma", "é",
        ],
    ),
    (
        "French",
        &[
            "au", "aux", "avant", "avec", "c", "ce", "cela", "ces", "cette", "comment", "d",
            "dans", "de", "des", "donc", "du", "elle", "en", "est", "et", "faire", "fait", "il",
            "ils", "l", "la", "le", "les", "leur", "lors", "lorsque", "mais", "ne", "nous", "on",
            "ou", "où", "par", "pas", "pour", "pourquoi", "qu", "quand", "que", "quel", "quelle",
            "quelles", "quels", "qui", "sans", "se", "ses", "si", "son", "sont", "sur", "un",
            "une", "vers", "y", "à", "été", "être",
        ],
    ),
    (
        "German",
        &[
            "aber", "als", "am", "an", "auch", "auf", "aus", "bei", "beim", "bevor", "bis", "das",
            "dass", "dem", "den", "der", "des", "die", "durch", "ein", "eine", "einem", "einen",
            "einer", "eines", "er", "es", "für", "gibt", "hat", "im", "in", "ist", "kann", "man",
            "mit", "nach", "nicht", "nur", "ob", "oder", "ohne", "sich", "sie", "sind", "um",
            "und", "von", "vom", "vor", "wann", "warum", "was", "welche", "welcher", "welches",
            "wenn", "wer", "werden", "wie", "wir", "wird", "wo", "wurde", "zu", "zum", "zur",
            "über",
        ],
    ),
    (
        "Dutch",
        &[
            "aan", "als", "bij", "dat", "de", "deze", "die", "dit", "door", "een", "en", "er",
            "geen", "hebben", "het", "hoe", "in", "is", "kan", "maar", "met", "naar", "niet",
            "nog", "of", "om", "onze", "ook", "op", "over", "te", "tot", "uit", "van", "voor",
            "waar", "waarom", "wanneer", "was", "wat", "we", "welke", "wie", "wij", "wordt",
            "worden", "zijn", "zonder",
        ],
    ),
    (
        "Russian",
        &[
            "без",
            "в",
            "где",
            "для",
            "до",
            "если",
            "за",
            "и",
            "из",
            "или",
            "как",
            "какой",
            "когда",
            "кто",
            "ли",
            "мы",
            "на",
            "не",
            "но",
            "о",
            "он",
            "от",
            "по",
            "после",
            "почему",
            "при",
            "с",
            "что",
            "чтобы",
            "это",
        ],
    ),
];

/// Small words of English that the list of stop words lacks, because code has them or nobody needs them dropped.
const MORE_ENGLISH: &[&str] = &["find", "make", "use", "used", "uses", "using", "when"];
/// Fewer different small words prove nothing.
const LEAST: usize = 2;
/// Words beyond this many are not counted.
const MAX_WORDS: usize = 256;

/// The language of a text; `None` for English and where it is not clear.
pub(super) fn of(text: &str) -> Option<&'static str> {
    by_script(text).or_else(|| by_small_words(text))
}

/// Whether a folded word says nothing in a language.
pub(super) fn is_stop_word(language: &str, folded: &str) -> bool {
    LANGUAGES.iter().any(|(name, words)| *name == language && words.contains(&folded))
}

fn by_small_words(text: &str) -> Option<&'static str> {
    let mut words: Vec<String> = sentence_words(text).collect();
    words.sort_unstable();
    words.dedup();
    let n_of = |list: &[&str]| words.iter().filter(|word| list.contains(&word.as_str())).count();
    let is_english =
        |word: &&String| super::is_stop_word(word) || MORE_ENGLISH.contains(&word.as_str());
    let counts = LANGUAGES.iter().map(|(name, list)| (n_of(list), *name, *list));
    // The first of equals: of two such close relatives either answer is as good.
    let (n_best, name, list) = counts.rev().max_by_key(|(n, _, _)| *n)?;
    let is_alien = |word: &&String| is_english(word) && !list.contains(&word.as_str());
    let n_english = words.iter().filter(is_alien).count();
    // Words of the language that English does not have.
    let n_own =
        words.iter().filter(|word| list.contains(&word.as_str()) && !is_english(word)).count();
    let is_clear = n_own >= LEAST && n_own > 2 * n_english && n_best * 6 >= words.len();
    is_clear.then_some(name)
}

/// Words as sentences have them: letters between white space, punctuation and apostrophes; no parts of names.
fn sentence_words(text: &str) -> impl Iterator<Item = String> {
    let is_inner =
        |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '/' | '\'' | '’');
    let is_plain = |word: &&str| {
        word.chars().all(|c| c.is_alphabetic() || matches!(c, '\'' | '’'))
            && !word.chars().skip(1).any(char::is_uppercase)
    };
    text.split(move |c| !is_inner(c))
        .map(|word| word.trim_matches(['.', ':', '-', '\'', '’']))
        .filter(is_plain)
        .flat_map(|word| word.split(['\'', '’']))
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .take(MAX_WORDS)
}

/// Scripts that one language has, where they are most of the letters.
fn by_script(text: &str) -> Option<&'static str> {
    let mut n_letters = 0;
    let mut counts = [0_usize; 8];
    for c in text.chars().filter(|c| c.is_alphabetic()) {
        n_letters += 1;
        let script = match c {
            '\u{3040}'..='\u{30ff}' => 0,
            '\u{3400}'..='\u{9fff}' | '\u{20000}'..='\u{2ffff}' => 1,
            '\u{ac00}'..='\u{d7a3}' => 2,
            '\u{0e00}'..='\u{0e7f}' => 3,
            '\u{0370}'..='\u{03ff}' => 4,
            '\u{0590}'..='\u{05ff}' => 5,
            '\u{0600}'..='\u{06ff}' => 6,
            '\u{0900}'..='\u{097f}' => 7,
            _ => continue,
        };
        counts[script] += 1;
    }
    let [kana, han, others @ ..] = counts;
    let is_most = |n: usize| n > 0 && 2 * n >= n_letters;
    match () {
        () if kana > 0 && is_most(kana + han) => Some("Japanese"),
        () if is_most(han) => Some("Chinese"),
        () => {
            const NAMES: [&str; 6] = ["Korean", "Thai", "Greek", "Hebrew", "Arabic", "Hindi"];
            others.iter().position(|n| is_most(*n)).map(|i| NAMES[i])
        }
    }
}
