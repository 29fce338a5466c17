/* Starts the viewers of a page that holds everything: its tables answer what they would fetch from a server. */
(async () => {
  /** @param {Element} element */
  const bytesOf = (element) => {
    const text = atob(element.textContent);
    element.remove(); // the text of a large run would be kept beside its tables
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    return bytes;
  };

  /* The bundle of dashboard/viewer/tiles.py: a header with places and answers, then the tables. */
  function held(element) {
    const bytes = bytesOf(element);
    const start = 8 + new DataView(bytes.buffer).getUint32(4, true);
    const { parts, answers } = JSON.parse(new TextDecoder().decode(bytes.subarray(8, start)));
    const tables = new Map(
      Object.entries(parts).map(([name, [at, size]]) => [name, bytes.subarray(start + at, start + at + size)])
    );
    return { tables, answers };
  }

  const runs = new Map([...document.querySelectorAll("script[data-run]")].map((one) => [one.dataset.run, held(one)]));

  /* Addresses end in `<id of the run>/<table or question>`. */
  function answer(address) {
    const { pathname, searchParams } = new URL(address, document.baseURI);
    const [run, name] = pathname.split("/").slice(-2);
    const { tables, answers } = runs.get(run) || { tables: new Map(), answers: {} };
    if (tables.has(name)) return new Response(tables.get(name));
    const found = name === "allotments" ? answers.allotments?.[searchParams.get("job")] : answers[name];
    if (found) return Response.json(found);
    return Response.json({ error: "This page does not contain that part." }, { status: 404 });
  }

  window.fetch = async (address) => answer(address);
  window.Worker = undefined; // a worker would be a file of its own

  const packed = new Blob([bytesOf(document.getElementById("held-code"))]);
  const unpacked = packed.stream().pipeThrough(new DecompressionStream("gzip"));
  const { styles, script } = await new Response(unpacked).json();
  if (styles) document.head.appendChild(document.createElement("style")).textContent = styles;
  document.body.appendChild(document.createElement("script")).textContent = script;
})();
