//! How large the page is, as it lies on disk and as it travels.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Result;

/// A file's length in bytes, and its length once compressed.
#[derive(Clone, Copy, Default)]
pub struct Size {
    /// As it is.
    pub raw: u64,
    /// After brotli at its strongest, which is how a web server would keep it.
    pub brotli: u64,
}

/// The size of one file.
///
/// # Errors
/// When it cannot be read.
pub fn of(file: &Path) -> Result<Size> {
    let bytes = fs::read(file)?;
    let mut compressed = brotli::CompressorWriter::new(Count(0), 1 << 16, 11, 22);
    compressed.write_all(&bytes)?;
    compressed.flush()?;
    Ok(Size { raw: bytes.len() as u64, brotli: compressed.into_inner().0 })
}

/// A table of all files below a folder with their sizes and the sum.
///
/// # Errors
/// When a file cannot be read.
pub fn report(folder: &Path) -> Result<String> {
    let mut files = Vec::new();
    collect(folder, &mut files)?;
    files.sort();
    let mut text = format!("{:<32}{:>12}{:>12}\n", "", "raw", "brotli");
    let mut sum = Size::default();
    for file in &files {
        let size = of(file)?;
        sum = Size { raw: sum.raw + size.raw, brotli: sum.brotli + size.brotli };
        let name = file.strip_prefix(folder).unwrap_or(file).display().to_string();
        row(&mut text, &name, size);
    }
    row(&mut text, "together", sum);
    Ok(text)
}

/// A length in kB with one decimal.
pub fn kilobytes(bytes: u64) -> String {
    format!("{}.{} kB", bytes / 1000, bytes % 1000 / 100)
}

fn row(text: &mut String, name: &str, size: Size) {
    let (raw, brotli) = (kilobytes(size.raw), kilobytes(size.brotli));
    let _ = writeln!(text, "{name:<32}{raw:>12}{brotli:>12}");
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in folder.read_dir()? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

/// Counts what is written to it.
struct Count(u64);

impl io::Write for Count {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_read_well() {
        assert_eq!(kilobytes(0), "0.0 kB");
        assert_eq!(kilobytes(999), "0.9 kB");
        assert_eq!(kilobytes(285_432), "285.4 kB");
    }

    #[test]
    fn this_folder_compresses() {
        let size = of(Path::new("src/sizes.rs")).expect("tests run in the package's folder");
        assert!(size.brotli > 0 && size.brotli < size.raw);
    }
}
