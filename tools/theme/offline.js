// What a reader has seen is kept for reading without a network, from the first answer on that was judged on a page.
// With a network, everything but the checker, whose addresses tell its version, comes fresh.
const SEEN = "seen", CHECKER = "checker";
const versioned = (address) => /\/_static\/checker\/[^/]*\?/.test(address);

const kept = async (request, response) => {
  if (response.ok && new URL(request.url ?? request, location).origin === location.origin) {
    const cache = await caches.open(versioned(response.url) ? CHECKER : SEEN);
    await cache.put(request, response.clone());
  }
  return response;
};
const forget = async (address) => { // former versions of a file of the checker
  const cache = await caches.open(CHECKER), [path] = address.split("?");
  for (const { url } of await cache.keys()) if (url.startsWith(`${path}?`) && url !== address) await cache.delete(url);
};

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("message", (event) => event.waitUntil(Promise.all(event.data.map(async (address) => {
  if (address.startsWith(location.origin) && !await caches.match(address)) await kept(address, await fetch(address)).catch(() => {});
}))));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(location.origin)) return;
  event.respondWith((async () => {
    const there = versioned(request.url) && await caches.match(request);
    if (there) return there;
    try {
      const response = await fetch(request);
      event.waitUntil(Promise.all([kept(request, response.clone()), versioned(request.url) && forget(request.url)]));
      return response;
    } catch (error) {
      const before = await caches.match(request, { ignoreSearch: !versioned(request.url) });
      if (before) return before;
      throw error;
    }
  })());
});
