//! A repository that has not everything which its commits refer to.

use super::worktree::TempWorktree;

/// A clone without the contents of files. What HEAD has is in the work tree, put there by other means than git.
fn partial() -> TempWorktree {
    let mut worktree = TempWorktree::with(&[("a", "head"), ("b", "head of b")]);
    worktree.git(&["config", "uploadpack.allowFilter", "true"]);
    let clone = worktree.sibling("clone");
    let from = format!("file://{}", worktree.top.display());
    let to = clone.to_str().unwrap().to_owned();
    let words = [
        "clone",
        "-q",
        "--template=",
        "--no-checkout",
        "--filter=blob:none",
    ];
    worktree.git(&[&words[..], &[&from, &to]].concat());
    worktree.top.clone_from(&clone);
    worktree.root = clone;
    let no_excludes = worktree.sibling("no-excludes");
    let no_excludes = no_excludes.to_str().unwrap();
    for (name, value) in [("core.excludesFile", no_excludes), ("gc.auto", "0")] {
        worktree.git(&["config", name, value]);
    }
    worktree.git(&["read-tree", "HEAD"]);
    worktree.write("a", "head");
    worktree.write("b", "head of b");
    worktree
}

#[test]
fn missing_objects_of_a_partial_clone_are_named_first_and_never_fetched() {
    for has_git in [true, false] {
        let mut worktree = partial();
        worktree.has_git = has_git;
        // The repository says how to fetch.
        let ran = worktree.sibling("ran");
        let upload = format!("touch {}; git-upload-pack", ran.display());
        worktree.git(&["config", "remote.origin.uploadpack", &upload]);
        worktree.write("b", "then");
        let (id, left_out) = worktree.create();
        assert_eq!(left_out, []);
        worktree.write("a", "now");
        worktree.write("b", "now");
        let now = worktree.tree();
        let plan = worktree.plan(&id, &[]);
        assert_eq!(worktree.tree(), now, "a plan wrote");
        assert_eq!(plan.paths(), ["b"]);
        assert_eq!(plan.left.len(), 1, "{plan:?}");
        assert_eq!(plan.left[0].0, "a");
        worktree.restore(&id, &[]);
        assert_eq!(
            (worktree.text("a"), worktree.text("b")),
            ("now".into(), "then".into())
        );
        assert!(!ran.exists());
        // Git by itself does fetch.
        worktree.git(&["cat-file", "-p", "HEAD:a"]);
        assert!(ran.exists());
        // Once the user has fetched it, it is brought back.
        assert_eq!(worktree.plan(&id, &[]).paths(), ["a"]);
        worktree.restore(&id, &[]);
        assert_eq!(worktree.text("a"), "head");
    }
}
