// Shows the name and number of a symbol next to it: under a pointer, on focus, or under a resting finger, which also gets the titles
// that a pointer gets from the browser. The text is what a screen
// reader reads there, so that it is written only once; if there is none, the name is in the list #icon-names.

const HOLD_TIME_MS = 500; // milliseconds for which a finger must rest
const MAX_FINGER_MOVE = 10; // pixels that it may move during that time
const SYMBOL_SELECTOR = ':is(#panel, #own-summary, #prompt, #table-head) svg';
const TITLED_ELEMENT_SELECTOR = ':is(#panel, #own-summary, #prompt, #table-head) [title]';
const TEXT_BOUNDARY_SELECTOR = 'section, ul, ol, table, tbody, #own-summary, #prompt, #panel, #live-part';
const MAX_NAME_LENGTH = 150; // a longer text is not the name of the symbol but all the text around it

const tooltip = document.createElement('div');
tooltip.id = 'symbol-tip';
tooltip.setAttribute('role', 'tooltip');
tooltip.hidden = true;
document.body.append(tooltip);
let elementWithoutTitle = null; // an element whose title is removed while the tip shows it
let holdTimer = 0;
let touchPoint = null; // where a finger touched
let clickPoint = null; // where the mouse was pressed last, until it moves: what the page then puts there is not pointed at
let isTooltipShownForTouch = false; // whether the tip was shown for this touch, which then chooses nothing

// The text of an element as a screen reader reads it; a dot stands between its paragraphs.
function getSpokenText(element) {
  const textWalker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let text = '';
  let previousParagraph = null;
  while (textWalker.nextNode()) {
    const { data, parentElement } = textWalker.currentNode;
    const textPart = data.trim().replace(/\s+/g, ' ');
    if (!textPart || parentElement.closest('[aria-hidden="true"]')) continue;
    const paragraph = parentElement.closest('p, h3');
    if (text) text += paragraph === previousParagraph ? ' ' : ' · ';
    text += textPart;
    previousParagraph = paragraph;
  }
  return text;
}

function findNearbyText(element) {
  for (let ancestor = element; ancestor && !ancestor.matches(TEXT_BOUNDARY_SELECTOR); ancestor = ancestor.parentElement) {
    const names = [ancestor.title, ancestor.getAttribute('aria-label'), getSpokenText(ancestor)].filter(Boolean);
    const term = ancestor.matches('dd') ? getSpokenText(ancestor.previousElementSibling) : '';
    const textParts = [...new Set([term, ...names])].filter(Boolean);
    const isRepeated = (text, index) => textParts.some((laterText, laterIndex) => laterIndex > index && laterText.toLowerCase().startsWith(`${text.toLowerCase()} ·`));
    if (names.length) return textParts.filter((text, n) => !isRepeated(text, n)).join(': ');
  }
  // For a picture, the heading of its section.
  return document.getElementById(element?.closest('section')?.getAttribute('aria-labelledby'))?.textContent ?? '';
}

function getSymbolName(symbol, pointedUseElement = symbol.querySelector('use')) {
  const icon = pointedUseElement?.getAttribute('href')?.slice(1);
  const listedName = document.querySelector(`#icon-names [data-icon-id="${CSS.escape(icon ?? '')}"]`)?.textContent ?? '';
  const ownName = (pointedUseElement?.closest('[data-symbol-name]')?.dataset.symbolName || symbol.querySelector(':scope > title')?.textContent) ?? '';
  const nearbyText = ownName || findNearbyText(symbol.parentElement);
  if (nearbyText.length > MAX_NAME_LENGTH && listedName) return listedName;
  return nearbyText.toLowerCase().includes(listedName.toLowerCase()) ? nearbyText : `${listedName}: ${nearbyText}`.replace(/: $/, '');
}

// The spaces of a drawing that shows many side by side, such as a track, and lists their names in order.
function findSpaces(useElement) {
  const names = JSON.parse(document.getElementById(useElement?.getAttribute('href')?.slice(1))?.dataset.spaceNames ?? '[]');
  const { left, top, width, height } = useElement?.getBoundingClientRect() ?? {};
  const [spaceWidth, spaceHeight] = width > height ? [width / names.length, 0] : [0, height / names.length];
  return names.map((text, n) => ({ text, box: new DOMRect(left + n * spaceWidth, top + n * spaceHeight, spaceWidth || width, spaceHeight || height) }));
}

const findSpaceAt = (useElement, { clientX, clientY }) => findSpaces(useElement).find(({ box }) =>
  clientX >= box.left && clientX <= box.right && clientY >= box.top && clientY <= box.bottom);

function showTooltip(text, box) {
  if (!text) return;
  tooltip.textContent = text;
  tooltip.hidden = false;
  const tooltipBox = tooltip.getBoundingClientRect();
  const left = Math.min(Math.max(8, box.left + box.width / 2 - tooltipBox.width / 2), document.documentElement.clientWidth - tooltipBox.width - 8);
  const topAbove = box.top - tooltipBox.height - 6;
  tooltip.style.left = `${left}px`;
  tooltip.style.top = `${topAbove > 8 ? topAbove : box.bottom + 6}px`;
}

function hideTooltip() {
  clearTimeout(holdTimer);
  tooltip.hidden = true;
  if (elementWithoutTitle) elementWithoutTitle.element.title = elementWithoutTitle.title;
  elementWithoutTitle = null;
}

function showTitleTooltip(element) {
  const text = findNearbyText(element);
  showTooltip(text.length > MAX_NAME_LENGTH ? element.title : text, element.getBoundingClientRect());
}

const isNearPoint = (point, { clientX, clientY }) => point && Math.hypot(clientX - point[0], clientY - point[1]) <= MAX_FINGER_MOVE;

function showSymbolTooltip(symbol, event) {
  hideTooltip();
  const pointedUseElement = event.target.closest('use') ?? undefined;
  const space = findSpaceAt(pointedUseElement, event);
  const text = space?.text ?? getSymbolName(symbol, pointedUseElement);
  const titledElement = symbol.closest('[title]');
  if (titledElement) {
    elementWithoutTitle = { element: titledElement, title: titledElement.title };
    titledElement.removeAttribute('title'); // otherwise the browser would show it, too
  }
  showTooltip(text, space?.box ?? symbol.getBoundingClientRect());
}

document.addEventListener('pointerover', (event) => {
  if (event.pointerType !== 'mouse') return;
  const symbol = event.target.closest?.(SYMBOL_SELECTOR);
  if (symbol && !isNearPoint(clickPoint, event)) showSymbolTooltip(symbol, event);
  else hideTooltip();
});

document.addEventListener('pointerdown', (event) => {
  hideTooltip();
  isTooltipShownForTouch = false;
  const symbol = event.target.closest?.(SYMBOL_SELECTOR);
  const titledElement = event.target.closest?.(TITLED_ELEMENT_SELECTOR);
  if (event.pointerType === 'mouse') clickPoint = [event.clientX, event.clientY];
  if (event.pointerType === 'mouse' || !(symbol || titledElement)) return;
  touchPoint = [event.clientX, event.clientY];
  holdTimer = setTimeout(() => {
    isTooltipShownForTouch = true;
    if (symbol) showSymbolTooltip(symbol, event);
    else showTitleTooltip(titledElement);
  }, HOLD_TIME_MS);
});
document.addEventListener('pointermove', (event) => {
  if (event.pointerType === 'mouse') {
    const useElement = event.target.closest?.(`${SYMBOL_SELECTOR} use`);
    const enteredSymbol = clickPoint && !isNearPoint(clickPoint, event) && event.target.closest?.(SYMBOL_SELECTOR);
    if (!isNearPoint(clickPoint, event)) clickPoint = null;
    if (enteredSymbol) showSymbolTooltip(enteredSymbol, event);
    else if (findSpaceAt(useElement, event)) showSymbolTooltip(useElement.closest('svg'), event);
  } else if (touchPoint && !isNearPoint(touchPoint, event)) clearTimeout(holdTimer);
});
for (const eventName of ['pointerup', 'pointercancel']) document.addEventListener(eventName, () => clearTimeout(holdTimer));
document.addEventListener('contextmenu', (event) => { if (isTooltipShownForTouch) event.preventDefault(); });
document.addEventListener('click', (event) => {
  if (!isTooltipShownForTouch) return;
  isTooltipShownForTouch = false;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);

// A focused element of the boards names all its symbols.
document.addEventListener('focusin', ({ target }) => {
  if (!target.matches(':is(#panel, #own-summary) :is([data-place], [data-highlights]):focus-visible')) return;
  hideTooltip();
  showTooltip([...new Set([...target.querySelectorAll('svg')].map((symbol) => getSymbolName(symbol)))].filter(Boolean).join(' · '), target.getBoundingClientRect());
});
document.addEventListener('focusout', ({ target }) => { if (target.matches('[data-place], [data-highlights], #panel [tabindex]')) hideTooltip(); });

// A part with the focus that shows such spaces names one after the other, by the arrow keys.
let currentSpaceIndex = -1;
function stepThroughSpaces(target, step) {
  const spaces = [...target.querySelectorAll('use')].flatMap(findSpaces).filter(({ text, box }) => text && box.width);
  if (!spaces.length) return false;
  spaces.sort((space, otherSpace) => space.text.localeCompare(otherSpace.text, undefined, { numeric: true }));
  currentSpaceIndex = (currentSpaceIndex + step + spaces.length) % spaces.length;
  hideTooltip();
  showTooltip(spaces[currentSpaceIndex].text, spaces[currentSpaceIndex].box);
  return true;
}
document.addEventListener('focusin', ({ target }) => {
  if (!target.matches('#panel section[tabindex]:focus-visible')) return;
  currentSpaceIndex = -1;
  stepThroughSpaces(target, 1);
});
document.addEventListener('keydown', (event) => {
  const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
  if (step && event.target.matches('#panel section[tabindex]') && stepThroughSpaces(event.target, step)) event.preventDefault();
});
document.addEventListener('scroll', hideTooltip, true);
document.addEventListener('spieltisch:page-updated', hideTooltip);
document.addEventListener('keydown', ({ key }) => { if (key === 'Escape') hideTooltip(); });

// The list of all symbols opens in the place of the log, where it covers neither boards nor prompt; a log that is too low
// to show it leaves it room from below, over the prompt. On a phone, it opens above the prompt. It has the focus while it is open, so
// that keys scroll it; then what opened it has it, or the menu that is closed by now.
const MIN_LEGEND_HEIGHT = 144;
const phoneQuery = matchMedia('(max-width: 51.99rem)');
let legendOpener = null;
document.addEventListener('toggle', ({ target, newState }) => {
  if (target.id !== 'symbol-legend') return;
  if (newState === 'closed') document.documentElement.removeAttribute('data-is-legend-open');
  if (newState === 'open') {
    target.tabIndex = -1;
    target.focus({ preventScroll: true });
  } else if (document.activeElement === document.body || target.contains(document.activeElement)) legendOpener?.focus();
}, true);
document.addEventListener('click', ({ target }) => {
  const legend = document.getElementById('symbol-legend');
  const logPanel = document.getElementById('log-panel');
  if (!legend || !logPanel || !target.closest('[popovertarget="symbol-legend"]') || legend.contains(target)) return;
  document.documentElement.setAttribute('data-is-legend-open', ''); // who decides lends the log's room meanwhile
  const logBox = logPanel.getBoundingClientRect();
  legendOpener = target.closest('#table-menu')?.querySelector('summary') ?? target;
  document.getElementById('table-menu')?.removeAttribute('open');
  const [top, bottom] = phoneQuery.matches
    ? [document.querySelector('.site-header').getBoundingClientRect().bottom, document.getElementById('prompt').getBoundingClientRect().top]
    : [Math.min(logBox.top, innerHeight - MIN_LEGEND_HEIGHT), innerHeight];
  legend.style.top = `${top}px`;
  legend.style.left = `${phoneQuery.matches ? 6 : logBox.left}px`;
  legend.style.width = `${phoneQuery.matches ? innerWidth - 12 : logBox.width}px`;
  legend.style.setProperty('max-height', `${bottom - top - 4}px`);
}, true);
