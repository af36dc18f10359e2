// Where the caption of a move and the playback bar lie, so that they cover nothing. In a window with the title of the game in the header,
// both are beside it, in place of the status; elsewhere the bar takes the place of the header's links, and the caption has a line of its
// own. What makes room for them is noted at the root, for the style sheets.

const GAP = 12; // pixels between a lane and its neighbours
const phoneQuery = matchMedia('(max-width: 51.99rem)');
const MIN_LANE_WIDTH = 480; // pixels; a narrower lane takes the place of the title, too
const getCaption = () => document.getElementById('move-caption');
const getPlaybackBar = () => document.getElementById('playback-bar');
const isShown = (element) => Boolean(element && !element.hidden);
const isRecapShown = (bar) => bar.classList.contains('is-recap') && !bar.classList.contains('is-replaying-moves');

function getBox(selector) {
  const box = document.querySelector(selector)?.getBoundingClientRect();
  return box && box.width > 1 && box.height > 1 ? box : null;
}

// The row of the game's title, or null where it is not visible.
function findTitleRow() {
  const titleBox = phoneQuery.matches ? null : getBox('.table-head h1');
  if (!titleBox) return null;
  const isBeside = (box) => box && box.left > titleBox.right && box.top < titleBox.bottom && box.bottom > titleBox.top;
  const neighbours = ['.table-head .menu', '#look-button', '.map > .zoom-buttons', '.has-map > .zoom-buttons', '.site-header nav'].map(getBox).filter(isBeside);
  const right = Math.min(...neighbours.map(({ left }) => left - GAP), getBox('.table-head')?.right ?? innerWidth);
  const headerBox = getBox('.site-header');
  const isInHeader = Boolean(headerBox && titleBox.top < headerBox.bottom && titleBox.bottom > headerBox.top);
  return { titleBox, right, middle: titleBox.top + titleBox.height / 2, isInHeader, isTight: isInHeader && right - titleBox.right < MIN_LANE_WIDTH };
}

// The room of the header without its links.
function findHeaderRow() {
  const headerBox = getBox('.site-header');
  if (!headerBox) return null;
  const menuBox = getBox('.table-head .menu');
  const isMenuInHeader = menuBox && menuBox.top < headerBox.bottom;
  return {
    left: phoneQuery.matches ? GAP : (getBox('.site-header .brand')?.right ?? 0) + GAP,
    right: (isMenuInHeader ? menuBox.left : innerWidth) - GAP,
    middle: headerBox.top + headerBox.height / 2,
  };
}

function noteCovered(part, isCovered) {
  const { dataset } = document.documentElement;
  const parts = new Set((dataset.madeWay ?? '').split(' ').filter(Boolean));
  if (parts.has(part) === isCovered) return;
  if (isCovered) parts.add(part);
  else parts.delete(part);
  dataset.madeWay = [...parts].join(' ');
}

function placeBar(titleRow) {
  const bar = getPlaybackBar();
  const [isVisible, isRecap] = [isShown(bar), Boolean(bar && isRecapShown(bar))];
  const isInTitle = Boolean(titleRow?.isInHeader);
  bar?.classList.toggle('is-beside-title', isInTitle);
  const isInFlow = isRecap && phoneQuery.matches; // the changes need several lines
  noteCovered('links', isVisible && !isInTitle && !isInFlow);
  const row = isInTitle ? { ...titleRow, left: isRecap || titleRow.isTight ? titleRow.titleBox.left : titleRow.titleBox.right + GAP } : findHeaderRow();
  if (!isVisible || !row || isInFlow) { bar?.removeAttribute('style'); return; }
  const [left, width, top] = [row.left, row.right - row.left, row.middle].map((value) => `${value}px`);
  Object.assign(bar.style, { left, width, top });
}

// Captions that have no room beside the title: the line of the last move; when that is out of sight, the header, or while it holds the
// bar, the question, which cannot be answered then. In a lesson it is the head of the prompt.
function findCaptionLine(bar) {
  const lineBox = getBox('.log-and-chat:not(.is-open) > .log') ?? getBox('.is-lesson #prompt');
  if (!lineBox) return null;
  const line = { left: lineBox.left, right: lineBox.right, middle: lineBox.top + Math.min(lineBox.height / 2, 22) };
  const headerBottom = getBox('.site-header')?.bottom ?? 0;
  if (lineBox.top >= headerBottom) return line;
  const questionBox = getBox('#prompt-title');
  if (isShown(bar) && questionBox) return { left: questionBox.left, right: questionBox.right, middle: questionBox.top + questionBox.height / 2, covered: 'question' };
  return isShown(bar) ? { ...line, middle: headerBottom + Math.min(lineBox.height / 2, 22) } : { ...findHeaderRow(), covered: 'links' };
}

function findCaptionLane(titleRow) {
  const bar = getPlaybackBar();
  if (!titleRow) return findCaptionLine(bar);
  const isBarBeside = titleRow.isInHeader && isShown(bar);
  const left = titleRow.isTight ? titleRow.titleBox.left : titleRow.titleBox.right + GAP;
  const right = isBarBeside ? bar.querySelector('.actions').getBoundingClientRect().left - GAP : titleRow.right;
  return { left, right, middle: titleRow.middle, covered: 'status' };
}

// Place both anew. Returns whether there is room for a caption.
export function placeCaptionAndBar() {
  const titleRow = findTitleRow();
  placeBar(titleRow);
  const [caption, bar] = [getCaption(), getPlaybackBar()];
  const isCaptionShown = isShown(caption);
  const lane = isCaptionShown ? findCaptionLane(titleRow) : null;
  const isBarInTitle = isShown(bar) && Boolean(titleRow?.isInHeader);
  noteCovered('status', lane?.covered === 'status' || isBarInTitle);
  noteCovered('title', Boolean(titleRow?.isTight && (isCaptionShown || isBarInTitle)) || (isBarInTitle && isRecapShown(bar)));
  noteCovered('question', lane?.covered === 'question');
  if (lane?.covered === 'links') noteCovered('links', true);
  if (!lane) return false;
  caption.classList.toggle('is-in-made-room', Boolean(lane.covered));
  const [left, width, top] = [lane.left, lane.right - lane.left, lane.middle].map((value) => `${value}px`);
  Object.assign(caption.style, { left, width, top });
  return true;
}

addEventListener('resize', placeCaptionAndBar);
