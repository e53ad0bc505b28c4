// The search: chapters by what their titles, search words and sections say, the best first; under each its best
// sections.  The words of the whole book are here (words.js), packed; Stemmer is Porter's, from Sphinx.
(async () => {
  const create = (tag, properties, ...children) => {
    const node = Object.assign(document.createElement(tag), properties);
    node.append(...children);
    return node;
  };
  const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~"; // of base 85
  const unpack = async ([text, length]) => {
    const value = Object.fromEntries([...DIGITS].map((digit, number) => [digit, number]));
    const bytes = new DataView(new ArrayBuffer(text.length / 5 * 4));
    for (let at = 0; at < text.length; at += 5) {
      bytes.setUint32(at / 5 * 4, [...text.slice(at, at + 5)].reduce((number, digit) => 85 * number + value[digit], 0));
    }
    return new Response(new Blob([new Uint8Array(bytes.buffer, 0, length)]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
  };

  // A word in the form in which it is compared: both spellings are one, and all endings.
  const porter = new Stemmer();
  const known = new Map();
  const plain = (word) => word.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase()
    .replace(/iz(?=[aei])/g, "is").replace(/yz(?=e)/g, "ys").replace(/our(?=s|$|al|ed|ing)/g, "or")
    .replace(/parametri(?=s[aei])/g, "parameteri").replace(/(?<=l)l(?=ed$|ing$)/g, "");
  const stem = (word) => {
    if (!known.has(word)) known.set(word, porter.stemWord(plain(word)));
    return known.get(word);
  };
  const WORD = /[\p{L}\p{M}\p{N}]+/gu;
  const SMALL = new Set(`a an and are as at be by can did do does for from get have how i if in is it make me must my of
    on one or our s should so than that the then there these they this to use vs was we what when where which while who
    why will with would you your`.split(/\s+/)); // words that say nothing of what is looked for
  const stems = (text) => (text.match(WORD) ?? []).map(stem);

  // How many letters apart: one typed wrongly, left out, added, or two exchanged.
  const apart = (a, b) => {
    const rows = [[...Array(b.length + 1).keys()]];
    for (let i = 1; i <= a.length; i += 1) {
      rows.push([i]);
      for (let j = 1; j <= b.length; j += 1) {
        const same = a[i - 1] === b[j - 1] ? 0 : 1;
        let least = Math.min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + same);
        if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, rows[i - 2][j - 2] + 1);
        rows[i].push(least);
      }
    }
    return rows[a.length][b.length];
  };

  const results = document.getElementById("results");
  const query = new URLSearchParams(location.search).get("q")?.trim() ?? "";
  document.getElementById("query").value = query;
  const every = [...new Set((query.match(WORD) ?? []).map(plain))];
  const telling = every.filter((word) => !SMALL.has(word));
  const asked = telling.length ? telling : every;
  if (!asked.length) return;

  // Where each word stands: how often in a section's text, in its head, in the page's title and search words.
  const pages = (await unpack(packedWords)).map(([address, title, keywords, sections]) => ({
    address, title, names: [title.replace(/^[\d.]+ /, ""), ...keywords].map((name) => stems(name).join(" ")),
    named: new Set([title, ...keywords].flatMap(stems)),
    sections: sections.map(([given, head, text, table]) => {
      const anchor = given ?? head.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
      const counts = new Map();
      for (const word of stems(`${text} ${table}`)) counts.set(word, (counts.get(word) ?? 0) + 1);
      return { anchor, head, text, counts, heads: new Set(stems(head)) };
    }),
  }));
  const all = new Map(); // of each form of a word, in how many sections it stands
  for (const { named, sections } of pages) {
    for (const { counts, heads } of sections) {
      for (const word of new Set([...named, ...heads, ...counts.keys()])) all.set(word, (all.get(word) ?? 0) + 1);
    }
  }
  const total = pages.reduce((sum, { sections }) => sum + sections.length, 0);

  // What counts as one of the words asked for, and how much: its own form, what begins with it, else what is like it.
  const meant = asked.map((word) => {
    const forms = new Map();
    const own = stem(word);
    for (const form of all.keys()) {
      if (form === own) forms.set(form, 1);
      else if (word.length > 2 && form.startsWith(word)) forms.set(form, 0.5);
    }
    const guessed = !forms.size;
    if (guessed && word.length > 3) {
      const near = [...known].map(([other, form]) => [form, apart(plain(other), word)])
        .filter(([form, far]) => all.has(form) && far <= (word.length > 7 ? 2 : 1));
      const least = Math.min(...near.map(([, far]) => far));
      for (const [form, far] of near) if (far === least) forms.set(form, 0.8);
    }
    const most = Math.max(1, ...[...forms.keys()].map((form) => all.get(form)));
    return { word, forms, guessed, rare: Math.log(1 + total / most) };
  });
  const much = (forms, of) => Math.max(0, ...[...forms].map(([form, weight]) => weight * of(form)));

  const likeliest = ({ word, forms }) => [...forms].sort((a, b) => b[1] - a[1])[0]?.[0] ?? stem(word);
  const whole = meant.map(likeliest).join(" ");
  const found = pages.map((page) => {
    const inName = meant.map(({ forms }) => much(forms, (form) => (page.named.has(form) ? 1 : 0)));
    const sections = page.sections.map((section) => {
      const inHead = meant.map(({ forms }) => much(forms, (form) => (section.heads.has(form) ? 1 : 0)));
      const inText = meant.map(({ forms }) => much(forms, (form) => {
        const count = section.counts.get(form) ?? 0;
        return count / (count + 2);
      }));
      const score = meant.reduce((sum, { rare }, i) => sum + rare * (3 * inHead[i] + inText[i]), 0);
      return { ...section, score, has: meant.map((_, i) => inHead[i] + inText[i] > 0) };
    }).sort((a, b) => b.score - a.score);
    const has = meant.map((_, i) => inName[i] > 0 || sections.some((section) => section.has[i]));
    // A title or a search word that is just what is asked for, the earlier the better, or that has it in it.
    const name = Math.max(...page.names.map((one, i) => (one === whole ? 1 + 1 / (1 + i) : ` ${one} `.includes(` ${whole} `))));
    const held = has.filter(Boolean).length;
    const weighty = (words) => words.reduce((sum, { rare }) => sum + rare, 0);
    const score = (weighty(meant.filter((_, i) => has[i])) / weighty(meant)) ** 3 * (/^book\/back\//.test(page.address) ? 0.4 : 1) * (meant.reduce((sum, { rare }, i) => sum + 6 * rare * inName[i], 0) + 16 * name
      + sections[0].score + 0.3 * sections.slice(1, 4).reduce((sum, section) => sum + section.score, 0));
    return { ...page, sections, score, held };
  }).filter(({ held }) => held).sort((a, b) => b.score - a.score);

  const hit = (text) => { const form = stem(text); return meant.some(({ forms }) => forms.has(form)); };
  const marked = (text) => {
    const node = document.createDocumentFragment();
    let end = 0;
    for (const { 0: word, index } of text.matchAll(WORD)) {
      if (!hit(word)) continue;
      node.append(text.slice(end, index), create("mark", {}, word));
      end = index + word.length;
    }
    node.append(text.slice(end));
    return node;
  };
  // The sentence that holds most of the words, of those the first.
  const sentence = (text) => {
    const held = (one) => {
      const forms = new Set(stems(one));
      return meant.filter(({ forms: some }) => [...some.keys()].some((form) => forms.has(form))).length;
    };
    const [first] = text.split(/(?<=[.?!]\)?)\s+(?=\p{Lu}|\()/u).map((one) => [held(one), one]).sort((a, b) => b[0] - a[0]);
    return first[1].length < 280 ? first[1] : `${first[1].slice(0, first[1].lastIndexOf(" ", 270))} …`;
  };

  const root = document.documentElement.dataset.content_root;
  results.append(...found.slice(0, 12).map(({ address, title, sections }) => {
    const [first, ...others] = sections.filter(({ score }) => score > 0);
    const top = first ?? sections[0];
    const more = others.filter(({ score, head }) => head && score > top.score / 3).slice(0, 3);
    const place = ({ anchor }) => root + address + (anchor && `#${anchor}`);
    return create("li", {},
      create("a", { href: root + address }, marked(title)),
      create("p", {}, marked(sentence(top.text || top.head))),
      create("small", {}, ...[top, ...more].filter(({ anchor }) => anchor)
        .flatMap((section, i) => [i ? " · " : "", create("a", { href: place(section) }, marked(section.head))])));
  }));
  const many = (pages) => `${pages.length} page${pages.length === 1 ? "" : "s"}`;
  const named = (words) => words.map(({ word }) => `“${word}”`).join(" and ");
  const none = meant.filter(({ forms }) => !forms.size);
  const like = meant.filter(({ forms, guessed }) => forms.size && guessed);
  document.getElementById("found").textContent = !found.length ? "Nothing found." : [
    asked.length === 1 ? `${many(found)}.` : `${many(found.filter(({ held }) => held === asked.length))} with all of it.`,
    none.length ? `No page has ${named(none)}.` : "",
    like.length ? `No page has ${named(like)}; these have what is spelt like it.` : "",
  ].filter(Boolean).join(" ");
})();
