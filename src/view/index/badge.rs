//! The warnings of a row.

use crate::schema::Shaped;

/// One thing that a row warns of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::view) enum Badge {
    Stale,
    Corrupt,
    Quarantined,
    UntrustedOrigin,
    Conflict,
    EditedByHand,
    Redacted,
    TooLarge,
    UnsafePath,
    UnsupportedVersion,
    Vanished,
}

impl Badge {
    /// Every badge, in the order in which they are shown.
    pub(in crate::view) const ALL: [Badge; 11] = [
        Badge::Corrupt,
        Badge::Conflict,
        Badge::Vanished,
        Badge::TooLarge,
        Badge::UnsafePath,
        Badge::UnsupportedVersion,
        Badge::Stale,
        Badge::UntrustedOrigin,
        Badge::EditedByHand,
        Badge::Quarantined,
        Badge::Redacted,
    ];

    /// The name that a page filters by.
    pub(in crate::view) fn code(self) -> &'static str {
        match self {
            Badge::Stale => "stale",
            Badge::Corrupt => "corrupt",
            Badge::Quarantined => "quarantined",
            Badge::UntrustedOrigin => "untrusted_origin",
            Badge::Conflict => "conflict",
            Badge::EditedByHand => "edited_by_hand",
            Badge::Redacted => "redacted",
            Badge::TooLarge => "too_large",
            Badge::UnsafePath => "unsafe_path",
            Badge::UnsupportedVersion => "unsupported_version",
            Badge::Vanished => "vanished",
        }
    }

    /// The text of it for people.
    pub(in crate::view) fn text(self) -> &'static str {
        match self {
            Badge::Stale => "saved at another commit than HEAD",
            Badge::Corrupt => "cannot be read",
            Badge::Quarantined => "a corrupt state of it was kept aside",
            Badge::UntrustedOrigin => "tracked by git: it may have come with the repository",
            Badge::Conflict => "a merge of git left its marks in it",
            Badge::EditedByHand => "changed without this tool",
            Badge::Redacted => "secrets were taken out of it",
            Badge::TooLarge => "too large to be read",
            Badge::UnsafePath => "no regular file",
            Badge::UnsupportedVersion => "written by a later version",
            Badge::Vanished => "gone, but its history is kept",
        }
    }
}

/// A warning of a row.
#[derive(Shaped)]
#[shape(name = "Badge")]
pub(in crate::view) struct ShownBadge {
    /// The name that a page filters by.
    code: &'static str,
    /// The text of it for people.
    text: String,
}

impl ShownBadge {
    /// A badge with a text of its own, where there is one.
    pub(in crate::view) fn new(badge: Badge, text: Option<&str>) -> Self {
        ShownBadge {
            code: badge.code(),
            text: text.unwrap_or(badge.text()).to_owned(),
        }
    }
}

/// A set of badges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::view) struct Badges(u16);

impl Badges {
    /// Adds a badge where it applies.
    #[must_use]
    pub(super) fn with(self, badge: Badge, applies: bool) -> Self {
        Badges(self.0 | u16::from(applies) << badge as u16)
    }

    pub(super) fn has(self, badge: Badge) -> bool {
        self.0 >> badge as u16 & 1 == 1
    }

    /// Those that it has, in the order in which they are shown.
    pub(in crate::view) fn iter(self) -> impl Iterator<Item = Badge> {
        Badge::ALL.into_iter().filter(move |badge| self.has(*badge))
    }
}
