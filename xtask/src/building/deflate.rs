//! Deflate that takes its time: what npm and Node make of the same bytes is 4 % larger.

use std::fs;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result};
use flate2::read::GzDecoder;
use libdeflater::{CompressionLvl, Compressor};

/// Writes the bytes of a file to another one, packed.
pub(crate) fn pack(from: &Path, to: &Path) -> Result<()> {
    let bytes = fs::read(from).with_context(|| format!("cannot read {}", from.display()))?;
    let mut compressor = Compressor::new(CompressionLvl::best());
    let mut packed = vec![0; compressor.deflate_compress_bound(bytes.len())];
    let length = compressor.deflate_compress(&bytes, &mut packed)?;
    fs::write(to, &packed[..length]).with_context(|| format!("cannot write {}", to.display()))
}

/// Replaces a file of gzip by a smaller one that has the same in it.
pub(crate) fn repack(file: &Path) -> Result<()> {
    let read = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    let mut bytes = Vec::new();
    GzDecoder::new(&read[..])
        .read_to_end(&mut bytes)
        .with_context(|| format!("cannot unpack {}", file.display()))?;
    let mut compressor = Compressor::new(CompressionLvl::best());
    let mut packed = vec![0; compressor.gzip_compress_bound(bytes.len())];
    let length = compressor.gzip_compress(&bytes, &mut packed)?;
    fs::write(file, &packed[..length]).with_context(|| format!("cannot write {}", file.display()))
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::io::{Read, Write};

    use anyhow::Result;
    use flate2::Compression;
    use flate2::read::{DeflateDecoder, GzDecoder};
    use flate2::write::GzEncoder;

    use super::{pack, repack};

    #[test]
    fn what_is_packed_is_unpacked_to_the_same_bytes() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let [plain, packed] = ["plain", "packed"].map(|name| folder.path().join(name));
        let text = "one and two and one and two\n".repeat(100);
        fs::write(&plain, &text)?;
        pack(&plain, &packed)?;
        let mut unpacked = String::new();
        DeflateDecoder::new(File::open(&packed)?).read_to_string(&mut unpacked)?;
        assert_eq!(unpacked, text);
        Ok(())
    }

    #[test]
    fn repacked_file_is_smaller_and_has_the_same_in_it() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("text.gz");
        let text: String = (0..5_000).map(|number| format!("{number}, ")).collect();
        let mut encoder = GzEncoder::new(File::create(&file)?, Compression::best());
        encoder.write_all(text.as_bytes())?;
        encoder.finish()?;
        let before = fs::metadata(&file)?.len();
        repack(&file)?;
        let mut unpacked = String::new();
        GzDecoder::new(File::open(&file)?).read_to_string(&mut unpacked)?;
        assert_eq!(unpacked, text);
        assert!(fs::metadata(&file)?.len() < before);
        Ok(())
    }
}
