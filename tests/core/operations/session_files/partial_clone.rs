//! A repository that has not everything which its commits refer to.

use super::place::TempWorktree;

/// A clone without the contents of files. What HEAD has is in the work tree, put there by other means than git.
fn partial() -> TempWorktree {
    let mut place = TempWorktree::with(&[("a", "head"), ("b", "head of b")]);
    place.git(&["config", "uploadpack.allowFilter", "true"]);
    let clone = place.beside("clone");
    let from = format!("file://{}", place.top.display());
    let to = clone.to_str().unwrap().to_owned();
    let words = [
        "clone",
        "-q",
        "--template=",
        "--no-checkout",
        "--filter=blob:none",
    ];
    place.git(&[&words[..], &[&from, &to]].concat());
    place.top.clone_from(&clone);
    place.root = clone;
    for (name, value) in [("core.excludesFile", "/nonexistent"), ("gc.auto", "0")] {
        place.git(&["config", name, value]);
    }
    place.git(&["read-tree", "HEAD"]);
    place.write("a", "head");
    place.write("b", "head of b");
    place
}

#[test]
fn what_a_partial_clone_lacks_is_not_fetched_and_is_named_before_anything_is_touched() {
    for has_git in [true, false] {
        let mut place = partial();
        place.has_git = has_git;
        // The repository says how to fetch.
        let ran = place.beside("ran");
        let upload = format!("touch {}; git-upload-pack", ran.display());
        place.git(&["config", "remote.origin.uploadpack", &upload]);
        place.write("b", "then");
        let (id, left_out) = place.create();
        assert_eq!(left_out, []);
        place.write("a", "now");
        place.write("b", "now");
        let now = place.tree();
        let plan = place.plan(&id, &[]);
        assert_eq!(place.tree(), now, "a plan wrote");
        assert_eq!(plan.paths(), ["b"]);
        assert_eq!(plan.left.len(), 1, "{plan:?}");
        assert_eq!(plan.left[0].0, "a");
        place.restore(&id, &[]);
        assert_eq!(
            (place.text("a"), place.text("b")),
            ("now".into(), "then".into())
        );
        assert!(!ran.exists());
        // Git by itself does fetch.
        place.git(&["cat-file", "-p", "HEAD:a"]);
        assert!(ran.exists());
        // Once the user has fetched it, it is brought back.
        assert_eq!(place.plan(&id, &[]).paths(), ["a"]);
        place.restore(&id, &[]);
        assert_eq!(place.text("a"), "head");
    }
}
