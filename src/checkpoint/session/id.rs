//! The names of snapshots, and their order by age.

use std::fmt;
use std::str::FromStr;

use crate::error::Error;
use crate::json::Json;
use crate::schema::{Kind, Shaped};
use crate::text::quoted;
use crate::time;

/// The name of a snapshot, and of its file without `.yaml`: `chk-YYYYMMDD-HHMMSS` in UTC, and
/// `-2`, `-3` and so on behind it for further ones.
///
/// Ids are ordered in the order of their creation: by second, then by number, so that `-10` comes
/// after `-9`.
///
/// ```
/// use milepost::checkpoint::session::id::SnapshotId;
///
/// let ids: Vec<SnapshotId> = ["chk-20250126-103000-10", "chk-20250126-103000-9", "chk-20250126-103000"]
///     .iter()
///     .filter_map(|name| name.parse().ok())
///     .collect();
/// let latest = ids.iter().max().expect("there are three");
/// assert_eq!(latest.to_string(), "chk-20250126-103000-10");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SnapshotId {
    /// `YYYYMMDDHHMMSS`, as a number.
    second: u64,
    /// Its number within that second; the first has none in its name.
    number: u32,
}

/// The largest number that an id can have. Larger ones are not ids, so that an id made up by a user
/// leaves room for others.
const LAST_NUMBER: u32 = 999_999_999;

/// Bytes of a name up to its second; names of the same length up to there are ordered by their
/// creation.
const MOMENT: usize = "chk-YYYYMMDD-HHMMSS".len();

impl SnapshotId {
    /// The id of a checkpoint that is made at a time, milliseconds since 1970: greater than every id
    /// among `used`, which are the names of all that exist, wherever, and of those that are gone. Names
    /// that are no ids are passed over.
    ///
    /// Where the clock is not ahead of the greatest of them, it is of that one's second, with the next
    /// number. `None` where there is no greater id.
    ///
    /// ```
    /// use milepost::checkpoint::session::id::SnapshotId;
    ///
    /// let now = 1_737_887_400_000.0; // 2025-01-26T10:30:00Z
    /// let next = |used: &[&str]| SnapshotId::next(now, used.iter().copied()).map(|id| id.to_string());
    /// assert_eq!(next(&["notes"]).as_deref(), Some("chk-20250126-103000"));
    /// assert_eq!(next(&["chk-20250126-103000"]).as_deref(), Some("chk-20250126-103000-2"));
    /// assert_eq!(next(&["chk-20990101-000000-2"]).as_deref(), Some("chk-20990101-000000-3"));
    /// ```
    pub fn next<'a>(wall_ms: f64, used: impl IntoIterator<Item = &'a str>) -> Option<SnapshotId> {
        let now = SnapshotId::at(wall_ms);
        match SnapshotId::greatest(used) {
            Some(newest) if newest >= now => newest.following(),
            _ => Some(now),
        }
    }

    /// The greatest of these names; those that are no ids are passed over.
    ///
    /// Only a name whose second is not behind the greatest so far is read: of thousands, in any
    /// order, nearly all cost one comparison.
    ///
    /// ```
    /// use milepost::checkpoint::session::id::SnapshotId;
    ///
    /// let names = ["chk-20250126-103000-9", "chk-20250126-103000-10", "chk-99991399-000000", "notes"];
    /// let greatest = SnapshotId::greatest(names).map(|id| id.to_string());
    /// assert_eq!(greatest.as_deref(), Some("chk-20250126-103000-10"));
    /// ```
    pub fn greatest<'a>(names: impl IntoIterator<Item = &'a str>) -> Option<SnapshotId> {
        let moment = |name: &'a str| name.as_bytes().get(..MOMENT);
        let mut greatest: Option<(SnapshotId, &[u8])> = None;
        for name in names {
            let Some(moment) = moment(name) else {
                continue;
            };
            if greatest.is_some_and(|(_, newest)| moment < newest) {
                continue;
            }
            if let Some(id) = SnapshotId::of_name(name)
                && greatest.is_none_or(|(newest, _)| newest < id)
            {
                greatest = Some((id, moment));
            }
        }
        greatest.map(|(id, _)| id)
    }

    /// Returns the first id of the second that contains a time, in milliseconds since 1970.
    fn at(wall_ms: f64) -> SnapshotId {
        let time = time::format(wall_ms);
        let digits = time.bytes().filter(u8::is_ascii_digit).take(14);
        SnapshotId {
            second: digits.fold(0, |number, digit| number * 10 + u64::from(digit - b'0')),
            number: 1,
        }
    }

    /// The second that it was made in, in milliseconds since 1970.
    pub fn wall_ms(self) -> f64 {
        let (date, clock) = (self.second / 1_000_000, self.second % 1_000_000);
        let [year, month, day] = [date / 10_000, date / 100 % 100, date % 100];
        let [hour, minute, second] = [clock / 10_000, clock / 100 % 100, clock % 100];
        let text = format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z");
        time::parse(&text).map_or(0.0, time::Time::wall_ms)
    }

    fn following(self) -> Option<SnapshotId> {
        let number = self.number + 1;
        (number <= LAST_NUMBER).then_some(SnapshotId { number, ..self })
    }

    fn of_name(name: &str) -> Option<SnapshotId> {
        let (moment, rest) = name.strip_prefix("chk-")?.split_at_checked(15)?;
        let number = match rest.strip_prefix('-') {
            Some(number) => numbered(number)?,
            None if rest.is_empty() => 1,
            None => return None,
        };
        let second = second(moment.as_bytes())?;
        Some(SnapshotId { second, number })
    }
}

/// `YYYYMMDD-HHMMSS`, as a number. A list has thousands of them, and none takes memory.
fn second(moment: &[u8]) -> Option<u64> {
    let (&date, rest) = moment.split_first_chunk::<8>()?;
    let (&clock, []) = rest.strip_prefix(b"-")?.split_first_chunk::<6>()? else {
        return None;
    };
    let ([y1, y2, y3, y4, m1, m2, d1, d2], [h1, h2, n1, n2, s1, s2]) = (date, clock);
    #[rustfmt::skip]
    let time = [
        y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2, b'T', h1, h2, b':', n1, n2, b':', s1, s2, b'Z',
    ];
    time::parse(std::str::from_utf8(&time).ok()?)?;
    let digits = date.iter().chain(&clock);
    Some(digits.fold(0, |number, digit| number * 10 + u64::from(digit - b'0')))
}

/// The number behind an id, in the one form that it is written in.
fn numbered(text: &str) -> Option<u32> {
    let is_plain = text.len() <= 9 && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse().ok().filter(|_| is_plain)?;
    (number >= 2 && !text.starts_with('0')).then_some(number)
}

/// In answers it is its text.
impl Shaped for SnapshotId {
    const KIND: Kind = Kind::String;
}

impl From<SnapshotId> for Json {
    fn from(id: SnapshotId) -> Self {
        Json::from(id.to_string())
    }
}

impl FromStr for SnapshotId {
    type Err = Error;

    /// # Errors
    ///
    /// [`Error::invalid_name`] for anything that is not written as an id: no part of a path passes.
    fn from_str(text: &str) -> Result<Self, Error> {
        SnapshotId::of_name(text).ok_or_else(|| {
            Error::invalid_name(format!(
                "Invalid snapshot id {}: expected chk-YYYYMMDD-HHMMSS, such as \
                 chk-20250126-103000 or chk-20250126-103000-2",
                quoted(text)
            ))
        })
    }
}

impl fmt::Display for SnapshotId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (date, clock) = (self.second / 1_000_000, self.second % 1_000_000);
        write!(f, "chk-{date:08}-{clock:06}")?;
        match self.number {
            1 => Ok(()),
            number => write!(f, "-{number}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::SnapshotId;
    use crate::error::Code;

    /// 2025-01-26T10:30:00.999Z
    const NOW: f64 = 1_737_887_400_999.0;

    fn next(used: &[&str]) -> String {
        SnapshotId::next(NOW, used.iter().copied())
            .unwrap()
            .to_string()
    }

    #[test]
    fn the_greatest_id_is_found_among_any_names() {
        let _run = milepost_property::seed("the greatest id is found among any names", 5);
        let mut chance = fastrand::Rng::with_seed(5);
        for _ in 0..2_000 {
            let mut name = || match chance.usize(..8) {
                0 => "notes".to_owned(),
                1 => "zzz-20250126-103000".to_owned(),
                2 => format!("chk-202501{}-103000", chance.usize(20..40)),
                3 => format!("chk-2025012{}-103000-", chance.usize(0..3)),
                _ => {
                    let number = ["", "-2", "-9", "-10", "-02", "-1"][chance.usize(..6)];
                    format!(
                        "chk-2025012{}-10300{}{number}",
                        chance.usize(0..3),
                        chance.usize(0..3)
                    )
                }
            };
            let names: Vec<String> = (0..6).map(|_| name()).collect();
            let read = names
                .iter()
                .filter_map(|name| name.parse::<SnapshotId>().ok());
            let found = SnapshotId::greatest(names.iter().map(String::as_str));
            assert_eq!(found, read.max(), "{names:?}");
        }
    }

    #[test]
    fn no_id_is_given_twice() {
        let mut used: Vec<String> = Vec::new();
        for _ in 0..300 {
            let names: Vec<&str> = used.iter().map(String::as_str).collect();
            let new = next(&names);
            assert!(!used.contains(&new));
            used.push(new);
        }
        assert_eq!(used[0], "chk-20250126-103000");
        assert_eq!(used[1], "chk-20250126-103000-2");
        assert_eq!(used[299], "chk-20250126-103000-300");
    }

    #[test]
    fn a_removed_id_is_not_given_again_while_the_clock_is_behind() {
        for (used, expected) in [
            (&["chk-20250126-102959"][..], "chk-20250126-103000"),
            (&["chk-20250126-102959-77"], "chk-20250126-103000"),
            (&["chk-20250126-103001"], "chk-20250126-103001-2"),
            (
                &["chk-20261231-235959-9", "chk-20261231-235959-10"],
                "chk-20261231-235959-11",
            ),
            (
                &["chk-20250126-103000-3", "chk-20250126-103000"],
                "chk-20250126-103000-4",
            ),
            (
                &[
                    "chk-20259999-103000",
                    "chk-20260101-000000-1",
                    "notes.yaml",
                    "",
                ],
                "chk-20250126-103000",
            ),
        ] {
            assert_eq!(next(used), expected, "{used:?}");
        }
    }

    #[test]
    fn an_id_has_the_time_of_its_second() {
        for (text, expected) in [
            ("chk-20250126-103000", 1_737_887_400_000.0),
            ("chk-20250126-103000-7", 1_737_887_400_000.0),
            ("chk-00000101-000000", -62_167_219_200_000.0),
            ("chk-99991231-235959", 253_402_300_799_000.0),
        ] {
            assert_eq!(
                text.parse::<SnapshotId>().unwrap().wall_ms(),
                expected,
                "{text}"
            );
        }
    }

    #[test]
    fn a_clock_out_of_range_still_gives_an_id() {
        for (clock, expected) in [
            (f64::NAN, "chk-19700101-000000"),
            (f64::NEG_INFINITY, "chk-00000101-000000"),
            (1e300, "chk-99991231-235959"),
        ] {
            assert_eq!(SnapshotId::next(clock, []).unwrap().to_string(), expected);
        }
        assert_eq!(
            SnapshotId::next(NOW, ["chk-99991231-235959-999999999"]),
            None
        );
    }

    #[test]
    fn the_tenth_of_a_second_is_newer_than_the_ninth() {
        let names = [
            "chk-20241231-235959",
            "chk-20250126-102959-11",
            "chk-20250126-103000",
            "chk-20250126-103000-2",
            "chk-20250126-103000-9",
            "chk-20250126-103000-10",
            "chk-20250126-103001",
        ];
        let ids = names.map(|name| name.parse::<SnapshotId>().unwrap());
        assert!(ids.is_sorted_by(|a, b| a < b));
        assert_eq!(ids.map(|id| id.to_string()), names);
    }

    #[test]
    fn no_id_leads_out_of_the_folder() {
        for text in [
            "",
            "chk",
            "chk-",
            "../chk-20250126-103000",
            "chk-20250126-103000/..",
            "chk-20250126-103000.yaml",
            "chk-20250126-103000-",
            "chk-20250126-103000-1",
            "chk-20250126-103000-0",
            "chk-20250126-103000-02",
            "chk-20250126-103000-+2",
            "chk-20250126-103000-1000000000",
            "chk-20250126-103000-2-2",
            "chk-2025126-1030000",
            "chk-20250126-10300",
            "chk-20250229-103000",
            "chk-20250126-240000",
            "chk-20250126-103060",
            "CHK-20250126-103000",
            "chk-２0250126-103000",
            "chk-20250126-103000\n",
            " chk-20250126-103000",
        ] {
            let error = text.parse::<SnapshotId>().unwrap_err();
            assert_eq!(error.code(), Code::InvalidName, "{text:?}");
        }
        assert_eq!(
            "../x".parse::<SnapshotId>().unwrap_err().to_string(),
            "Invalid snapshot id \"../x\": expected chk-YYYYMMDD-HHMMSS, such as \
             chk-20250126-103000 or chk-20250126-103000-2"
        );
    }
}
