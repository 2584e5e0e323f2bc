//! C11: words of every script are found by a part of them; none gives "no terms".

use crate::fixture::{Tree, ask, exact, keyword, printed};

/// One file for each script; the decoys have the same shape and other words.
const TREE: &str = "
    //- korean.py
    def 사용자인증(토큰):
        # 비밀번호를 확인한다
        return 토큰
    //- korean_decoy.py
    def 파일저장(경로):
        # 그림을 그린다
        return 경로
    //- chinese.py
    def 验证密码(令牌):
        # 检查用户是否登录
        return 令牌
    //- chinese_decoy.py
    def 保存文件(路径):
        # 画一张图
        return 路径
    //- japanese.py
    def パスワード確認(値):
        return 値
    //- cyrillic.py
    def ПроверкаПароля(токен):
        # вычисляет контрольную сумму
        return токен
    //- cyrillic_decoy.py
    def СохранитьФайл(путь):
        # рисует картинку
        return путь
    //- latin.py
    def créerUtilisateur(jeton_d_accès):
        # größe der Übertragung
        return jeton_d_accès
    //- latin_decoy.py
    def enregistrerFichier(chemin):
        # etwas anderes
        return chemin
    ";

#[test]
fn c11_a_part_of_a_word_finds_it() {
    let tree = Tree::new(TREE);
    let cases = [
        ("사용자인증", "korean.py"),
        ("인증", "korean.py"),
        ("사용자", "korean.py"),
        ("비밀번호", "korean.py"),
        ("번호", "korean.py"),
        ("토큰", "korean.py"),
        ("验证密码", "chinese.py"),
        ("密码", "chinese.py"),
        ("验", "chinese.py"),
        ("码", "chinese.py"),
        ("登录", "chinese.py"),
        ("パスワード", "japanese.py"),
        ("確認", "japanese.py"),
        ("ПроверкаПароля", "cyrillic.py"),
        ("пароля", "cyrillic.py"),
        ("Проверка", "cyrillic.py"),
        ("контрольн", "cyrillic.py"),
        ("СУММУ", "cyrillic.py"),
        ("créer", "latin.py"),
        ("creer", "latin.py"),
        ("CRÉER", "latin.py"),
        ("cre\u{301}er", "latin.py"),
        ("utilisateur", "latin.py"),
        ("accès", "latin.py"),
        ("acces", "latin.py"),
        ("größe", "latin.py"),
        ("ubertragung", "latin.py"),
    ];
    let engine = tree.engine();
    for (question, path) in cases {
        let hits = ask(&engine, &keyword(question)).hits;
        assert_eq!(hits.first().map(|hit| hit.path.as_str()), Some(path), "{question}");
        let decoy = path.replace(".py", "_decoy.py");
        assert!(hits.iter().all(|hit| hit.path != decoy), "{question} found {decoy}");
        assert!(
            hits[0].snippet.iter().any(|l| !l.highlights.is_empty()),
            "{question} marks nothing"
        );
    }
}

#[test]
fn c11_words_in_the_path_count() {
    let tree = Tree::new("//- 문서/결제.md\nx\n//- Оплата/счёт.md\ny\n//- é/z.md\nz\n");
    let engine = tree.engine();
    for (question, path) in [("결제", "문서/결제.md"), ("оплата", "Оплата/счёт.md")]
    {
        assert_eq!(printed(&ask(&engine, &keyword(question)).hits), [format!("{path}:1-1")]);
    }
}

#[test]
fn c11_exact_text_of_any_script() {
    let tree = Tree::new(TREE);
    tree.check(&exact("인증("), &["korean.py:1-1"]);
    tree.check(&exact("是否"), &["chinese.py:2-2"]);
    tree.check(&exact("рольную"), &["cyrillic.py:2-2"]);
    tree.check(&exact("rUtil"), &["latin.py:1-1"]);
}
