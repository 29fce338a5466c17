/* Starts the viewer in a page that holds everything: its tables answer what it would fetch from a server. */
(async () => {
  const bytesOf = (id) => {
    const text = atob(document.getElementById(id).textContent);
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    return bytes;
  };

  /* The notebook's own theme where it says one (JupyterLab), else that of the system. */
  function scheme() {
    let light;
    try {
      light = window.parent.document.body.dataset.jpThemeLight;
    } catch (_error) {
      light = undefined; // the frame stands on another site, which keeps its theme to itself
    }
    const dark = light === undefined ? matchMedia("(prefers-color-scheme: dark)").matches : light === "false";
    document.documentElement.setAttribute("data-mantine-color-scheme", dark ? "dark" : "light");
  }

  /* The bundle of dashboard/viewer/tiles.py: a header with places and answers, then the tables. */
  function held() {
    const bytes = bytesOf("held-tables");
    const start = 8 + new DataView(bytes.buffer).getUint32(4, true);
    const { parts, answers } = JSON.parse(new TextDecoder().decode(bytes.subarray(8, start)));
    const tables = new Map(
      Object.entries(parts).map(([name, [at, size]]) => [name, bytes.slice(start + at, start + at + size)])
    );
    return { tables, answers };
  }

  function answer({ tables, answers }, address) {
    const { pathname, searchParams } = new URL(address, document.baseURI);
    const name = pathname.split("/").pop();
    if (tables.has(name)) return new Response(tables.get(name));
    const found = name === "allotments" ? answers.allotments?.[searchParams.get("job")] : answers[name];
    if (found) return Response.json(found);
    return Response.json({ error: "This page does not hold that." }, { status: 404 });
  }

  scheme();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", scheme);
  const content = held();
  window.fetch = async (address) => answer(content, address);
  window.Worker = undefined; // a worker would be a file of its own

  const stream = new Blob([bytesOf("held-code")]).stream().pipeThrough(new DecompressionStream("gzip"));
  const { styles, script } = await new Response(stream).json();
  document.head.appendChild(document.createElement("style")).textContent = styles;
  document.body.appendChild(document.createElement("script")).textContent = script;
})();
