// The page's data: one index, read at once, and blocks of long texts, each unpacked when it is first looked at.
const BLOCKS_KEPT = 12;
let index = null;
const columns = {};
const blockStarts = [];
const unpackedBlocks = new Map();

function bytesOf(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

async function inflate(base64) {
  const stream = new Blob([bytesOf(base64)]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).arrayBuffer();
}

const unpack = async (base64) => JSON.parse(new TextDecoder().decode(await inflate(base64)));

function typed(column) {
  const bytes = bytesOf(column.data);
  const Type = { Uint8Array, Uint16Array, Uint32Array, Float64Array }[column.type];
  return new Type(bytes.buffer);
}

async function loadIndex() {
  index = await unpack(byId("index").textContent);
  for (const [name, column] of Object.entries(index.columns)) columns[name] = typed(column);
  for (const node of document.querySelectorAll("script.block")) blockStarts.push(Number(node.dataset.start));
}

function blockOf(trial) {
  let low = 0;
  let high = blockStarts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (blockStarts[middle] <= trial) low = middle;
    else high = middle - 1;
  }
  return low;
}

function unpackedBlock(place) {
  let found = unpackedBlocks.get(place);
  unpackedBlocks.delete(place);
  if (!found) found = unpack(document.querySelectorAll("script.block")[place].textContent);
  unpackedBlocks.set(place, found);
  if (unpackedBlocks.size > BLOCKS_KEPT) unpackedBlocks.delete(unpackedBlocks.keys().next().value);
  return found;
}

// Everything of one trial: {trial, view, key}: what became of it, its sample, and what is asked and judged by.
async function detailsOf(trial) {
  const block = await unpackedBlock(blockOf(trial));
  const told = block.trials[trial - block.start];
  const view = block.samples[told.sample];
  return { trial: told, view, key: block.keys[view.key] };
}
