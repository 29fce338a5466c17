/* Colours are [red, green, blue]; a pixel is their four bytes as one number, as ImageData wants them. */

/** Colours are [red, green, blue]; a pixel is their four bytes as one number, as ImageData wants them.
 * @param {string} text */
export function rgb(text) {
  const hex = text.trim().replace("#", "");
  return [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16) || 0);
}

/** @param {any} entry */
export const pixel = ([red, green, blue]) => ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
/** @param {any} entry */
export const css = ([red, green, blue]) => `rgb(${red} ${green} ${blue})`;
/** @param {Colour} over @param {Colour} under @param {number} share */
export const mix = (over, under, share) => over.map((top, i) => Math.round(share * top + (1 - share) * under[i]));

/** @param {Colour} colour */
export function luminance(colour) {
  const [red, green, blue] = colour.map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Pure black or pure white, whichever contrasts more with what it stands on: at least 4.5 to 1 on any ground.
 * @param {Colour} colour */
export function inkOn(colour) {
  const light = luminance(colour);
  return 1.05 / (light + 0.05) > (light + 0.05) / 0.05 ? "#fff" : "#000";
}
