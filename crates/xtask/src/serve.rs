//! A small static web server for the finished page, as strict as a careful host would be.

use std::net::{Ipv4Addr, TcpListener};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::{
    fs,
    io::{self, Write},
    thread,
};

use anyhow::{Context, Result, anyhow};
use tiny_http::{Method, Request, StatusCode};

/// What a document, and a worker by its own script's answer, may load: its own files, WebAssembly, and
/// images that it made itself. No inline script or style, no other host.
pub const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; \
    style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; font-src 'self'; \
    base-uri 'none'; form-action 'none'";

/// How many requests are answered at the same time.
const THREADS: usize = 8;

/// How many ports are tried after one that is taken.
const PORTS_TRIED: u16 = 50;

/// A running server; it ends with the process.
pub struct Server {
    port: u16,
}

impl Server {
    /// Serves a folder on this machine only, on the given port or the next free one; port 0 is any.
    ///
    /// # Errors
    /// When the folder is missing or none of the ports is free.
    pub fn start(folder: &Path, port: u16) -> Result<Self> {
        let folder = folder.canonicalize().with_context(|| format!("cannot serve {}", folder.display()))?;
        let listener = listen(port)?;
        let port = listener.local_addr()?.port();
        let server = tiny_http::Server::from_listener(listener, None).map_err(|error| anyhow!(error))?;
        let (server, folder) = (Arc::new(server), Arc::new(folder));
        for _ in 0..THREADS {
            let (server, folder) = (Arc::clone(&server), Arc::clone(&folder));
            thread::spawn(move || {
                while let Ok(request) = server.recv() {
                    respond(request, &folder);
                }
            });
        }
        Ok(Self { port })
    }

    /// The address to open, without a slash at its end.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }
}

fn listen(first: u16) -> Result<TcpListener> {
    let last = if first == 0 { 0 } else { first.saturating_add(PORTS_TRIED) };
    for port in first..=last {
        match TcpListener::bind((Ipv4Addr::LOCALHOST, port)) {
            Ok(listener) => return Ok(listener),
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => {}
            Err(error) => return Err(error).with_context(|| format!("cannot listen on port {port}")),
        }
    }
    Err(anyhow!("the ports {first} to {last} are all taken; choose another with --port"))
}

/// Answers, and asks the browser to close the connection: the library reads each open one with a thread of a small pool, and
/// where several connections begin at once, those that find no thread would wait until another ends.
fn respond(request: Request, folder: &Path) {
    let answer = Answer::to(request.method(), request.url(), folder);
    let body = if *request.method() == Method::Head { &[][..] } else { &answer.body };
    let mut writer = request.into_writer();
    let head = format!(
        "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nContent-Security-Policy: {CONTENT_SECURITY_POLICY}\r\n\
         X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nCache-Control: no-cache\r\nConnection: close\r\n\r\n",
        answer.status,
        StatusCode(answer.status).default_reason_phrase(),
        answer.mime,
        answer.body.len()
    );
    // A browser that has gone away needs no answer.
    let _ =
        writer.write_all(head.as_bytes()).and_then(|()| writer.write_all(body)).and_then(|()| writer.flush());
}

/// What is sent back for one request.
struct Answer {
    status: u16,
    mime: &'static str,
    body: Vec<u8>,
}

impl Answer {
    fn to(method: &Method, url: &str, folder: &Path) -> Self {
        if !matches!(method, Method::Get | Method::Head) {
            return Self::message(405, "only GET and HEAD are answered\n");
        }
        let file = locate(folder, url).and_then(|path| Some((mime(&path), fs::read(path).ok()?)));
        match file {
            Some((mime, body)) => Self { status: 200, mime, body },
            None => Self::message(404, "not found\n"),
        }
    }

    fn message(status: u16, text: &str) -> Self {
        Self { status, mime: mime(Path::new("message.txt")), body: text.into() }
    }
}

/// The file that a request's path names. Nothing outside the folder is ever found, be it by `..`, by an
/// absolute path, by an escaped separator or by a symbolic link.
fn locate(folder: &Path, url: &str) -> Option<PathBuf> {
    let path = url.split(['?', '#']).next()?;
    let path = percent_decoded(path.strip_prefix('/')?)?;
    if path.contains(['\\', '\0', ':']) {
        return None;
    }
    let relative = Path::new(&path);
    if !relative.components().all(|part| matches!(part, Component::Normal(_))) {
        return None;
    }
    let mut file = folder.join(relative);
    if path.is_empty() || path.ends_with('/') {
        file.push("index.html");
    }
    let file = file.canonicalize().ok()?;
    (file.starts_with(folder) && file.is_file()).then_some(file)
}

fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        rest = tail;
        if first == b'%' {
            let (digits, tail) = rest.split_at_checked(2)?;
            let digit = |at: usize| char::from(digits[at]).to_digit(16);
            bytes.push(u8::try_from(digit(0)? * 16 + digit(1)?).ok()?);
            rest = tail;
        } else {
            bytes.push(first);
        }
    }
    String::from_utf8(bytes).ok()
}

fn mime(path: &Path) -> &'static str {
    match path.extension().and_then(|extension| extension.to_str()).unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "wasm" => "application/wasm",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "webp" => "image/webp",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "csv" => "text/csv; charset=utf-8",
        "md" | "toml" | "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::net::TcpStream;

    use super::*;

    /// A served folder with a secret beside it, removed at the end.
    struct Site {
        outer: PathBuf,
        folder: PathBuf,
    }

    impl Site {
        fn new(name: &str) -> Self {
            let outer = std::env::temp_dir().join(format!("spindle-serve-{name}-{}", std::process::id()));
            let folder = outer.join("dist");
            fs::create_dir_all(folder.join("sub dir")).expect("temporary folder");
            fs::write(outer.join("secret.txt"), "secret").expect("written");
            fs::write(folder.join("index.html"), "<h1>home</h1>").expect("written");
            fs::write(folder.join("app.wasm"), b"\0asm").expect("written");
            fs::write(folder.join("sub dir/worker.js"), "1").expect("written");
            let folder = folder.canonicalize().expect("exists");
            Self { outer, folder }
        }

        fn get(&self, url: &str) -> Answer {
            Answer::to(&Method::Get, url, &self.folder)
        }
    }

    impl Drop for Site {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.outer);
        }
    }

    #[test]
    fn files_come_with_their_types() {
        let site = Site::new("types");
        for (url, mime) in [
            ("/", "text/html; charset=utf-8"),
            ("/?bench", "text/html; charset=utf-8"),
            ("/index.html#top", "text/html; charset=utf-8"),
            ("/app.wasm?v=1", "application/wasm"),
            ("/sub%20dir/worker.js", "text/javascript; charset=utf-8"),
        ] {
            let answer = site.get(url);
            assert_eq!((answer.status, answer.mime), (200, mime), "{url}");
        }
    }

    #[test]
    fn nothing_outside_is_found() {
        let site = Site::new("outside");
        #[cfg(unix)]
        std::os::unix::fs::symlink(site.outer.join("secret.txt"), site.folder.join("link.txt"))
            .expect("link");
        for url in [
            "/../secret.txt",
            "/%2e%2e/secret.txt",
            "/..%2fsecret.txt",
            "/sub%20dir/../../secret.txt",
            "/..\\secret.txt",
            "/%5c..%5csecret.txt",
            "//etc/passwd",
            "/%2fetc/passwd",
            "/link.txt",
            "/app.wasm%00",
            "/%",
            "/%ff",
            "/sub%20dir",
            "/missing",
            "",
            "*",
        ] {
            assert_eq!(site.get(url).status, 404, "{url}");
        }
    }

    #[test]
    fn only_reading_is_allowed() {
        let site = Site::new("methods");
        assert_eq!(Answer::to(&Method::Head, "/", &site.folder).status, 200);
        assert_eq!(Answer::to(&Method::Post, "/", &site.folder).status, 405);
    }

    #[test]
    fn answers_come_over_the_network_at_the_same_time() {
        let site = Site::new("network");
        let first = Server::start(&site.folder, 0).expect("a free port");
        let second = Server::start(&site.folder, first.port).expect("the next free port");
        assert!(second.port > first.port);
        // This one asks nothing and must not hold up the others.
        let _silent = TcpStream::connect(("127.0.0.1", first.port)).expect("connects");
        let fetches: Vec<_> = (0..20)
            .map(|_| {
                let port = first.port;
                thread::spawn(move || {
                    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("connects");
                    stream
                        .write_all(b"GET /app.wasm HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n")
                        .expect("sent");
                    let mut text = String::new();
                    stream.read_to_string(&mut text).expect("received");
                    text
                })
            })
            .collect();
        for fetch in fetches {
            let text = fetch.join().expect("no panic");
            assert!(text.starts_with("HTTP/1.1 200 OK\r\n"), "{text}");
            assert!(text.contains("Content-Type: application/wasm\r\n"), "{text}");
            assert!(text.contains("Content-Security-Policy: default-src 'none'; script-src 'self' 'wasm-"));
        }
    }
}
