// How values are written.
const nameOf = (dimension, trial) => index.names[dimension][columns[dimension][trial]];
const strategyLabel = (place) => index.labels.strategy[place];
const lengthLabel = (place) => index.labels.length[place];
// Given documents have no depth.
const depthLabel = (place) => (index.names.depth[place] === null ? "–" : `${+index.names.depth[place].toFixed(4)} %`);
const hasDepth = () => index.names.depth.some((depth) => depth !== null);
const scoreLabel = (score) => (score ? String(Math.round(score * 10) / 10) : "–");
const cellLabel = (length, depth) =>
  `${lengthLabel(length)} tokens${index.names.depth[depth] === null ? "" : `, depth ${depthLabel(depth)}`}`;
const outcomeLabel = (place) => index.labels.outcome[place];
const errorLabel = (code) => (code ? index.labels.error[code - 1] : "");
const causeLabel = (code) => (code ? index.names.cause[code - 1] : "");
const wordsOf = (dimension, place) => (index.labels[dimension] || index.names[dimension])[place];

const meanLabel = (mean) => (mean === 10 ? "10" : mean.toFixed(1));
const shareLabel = (share) => `${Math.round(100 * share)} %`;
const counted = (number) => number.toLocaleString("en");
const plural = (number, word) => `${counted(number)} ${word}${number === 1 ? "" : "s"}`;

// As tables are printed elsewhere: two decimals, or two digits of what is very small; none in whole columns.
function valueLabel(value, whole) {
  if (value === null || value === undefined) return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value !== "number") return value;
  if (whole) return counted(value);
  const size = Math.abs(value);
  if (size > 1e-9 && size < 0.01) return twoDigits(value);
  // A whole one of a thousand or more is a count of tokens.
  if (size >= 1000 && Number.isInteger(value)) return counted(value);
  return value.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}

// Written out, without a power of ten.
const twoDigits = (value) => value.toLocaleString("en", { minimumSignificantDigits: 2, maximumSignificantDigits: 2 });
const costLabel = (cost) => (cost === null ? "unknown" : cost === 0 ? "0"
  : `${cost < 0.1 ? twoDigits(cost) : cost.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 })} USD`);
const secondsLabel = (seconds) => (seconds === null ? "unknown" : `${+seconds.toPrecision(3)} s`);

// The colour of a score from 1 to 10, and ink that stands out on it (relative luminance, WCAG 2.2).
const shadeOf = (share) => index.palette[Math.round(Math.min(1, Math.max(0, share)) * (index.palette.length - 1))];
const colourOf = (mean) => shadeOf((mean - 1) / 9);
const inks = new Map();
function inkOn(colour) {
  if (!inks.has(colour)) {
    const [red, green, blue] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)
      .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    inks.set(colour, (luminance + 0.05) / 0.0637 > 1.05 / (luminance + 0.05) ? "#1f2328" : "#ffffff");
  }
  return inks.get(colour);
}
function paint(node, colour) {
  node.style.background = colour || "";
  node.style.color = colour ? inkOn(colour) : "";
}
