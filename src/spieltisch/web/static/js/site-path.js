// A server may be below a path of its host, such as https://example.org/games. Addresses in scripts begin at its root: '/health'. This
// file is at /static/VERSION/js below that path, and also runs in a worker, which has no document.
export const sitePath = new URL('../../..', import.meta.url).pathname.slice(0, -1);
export const inSite = (address) => `${sitePath}${address}`;
