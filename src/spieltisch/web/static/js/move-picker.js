// Choosing a move: by its words, as buttons in the prompt, and by elements of the map and the boards. Nothing is decided here: a leaf
// of the tree is the server's button, which is pressed for the player. The server plays the move, or first shows what cannot be
// undone, and it explains why a choice is blocked.
import { noteStates } from './page-state.js';
import './fit-prompt.js';
import { updateCollapsed } from './collapse.js';
import './focus-in-view.js';
import { clearPreview, showPreview } from './move-preview.js';
import { focusNext, updateTabStops, focusedRegion } from './board-keys.js';
import { digitOf } from './digit-key.js';
import { isBehind } from './playback-queue.js';
import { markAgain } from './again-mark.js';
import { markReachers } from './reachability.js';
import { gridRows } from './move-grid.js';
import { childrenAfter, childList, alternativesAlong, distinguish, entries, label, moveButton, elementIds, hintOf, gainOf, blockedLink, movesNaming, isUncommon, onlyWay, wordTexts, uniqueMovesNaming, tree, followForced, isAsked } from './move-tree.js';

const TYPED = 'input, select, textarea'; // where a key is what is typed
const docked = matchMedia('(max-width: 51.99rem), (max-height: 34.99rem)'); // the choices are one line below the boards
const phone = matchMedia('(max-width: 51.99rem)');
const ABOVE = 70; // pixels above a place that is brought into view: the heading of its part, or a caption
let broughtFor = ''; // the question whose places were brought into view
let shown = false; // whether the player has expanded the blocked choices

// The choice so far: `path`, the texts of words; `firm`, how many of them were chosen (the others were the only option); and the
// chosen elements. It is reset at the next decision.
const emptySelection = () => ({ path: followForced([]), firm: 0, places: [] });
let chosen = emptySelection();
let number = ''; // the parameter between those of a grid; "" until the grid opens, with the last that allows a move
let before = []; // earlier choices, for "back"
let busy = false;
let tapped = false; // whether the last choice was made with a finger
let from = null; // the region in which an element was chosen by keys
let quiet = false; // whether the focus is being set without a request of the player

const table = () => document.getElementById('live').dataset.table;
const decided = () => chosen.path.slice(0, chosen.firm);
const matchingMoves = (places = chosen.places, words = decided()) => uniqueMovesNaming(childrenAfter(words), places);
const withoutUncommon = (chains) => chains.filter((chain) => !chain.some(isUncommon));
const preferCommon = (chains) => (withoutUncommon(chains).length ? withoutUncommon(chains) : chains);

// --- Drawing. ---

function button(className, contents, press) {
  const made = document.createElement('button');
  made.type = 'button';
  made.className = className;
  for (const part of contents) made.append(part.cloneNode ? part.cloneNode(true) : part);
  made.addEventListener('click', press);
  return made;
}

function element(name, className, ...contents) {
  const made = document.createElement(name);
  made.className = className;
  made.append(...contents);
  return made;
}

// A button shows the gain of its move and its effect. Its accessible name is all of it: the words of the whole move, and what is shown.
// Where those words end with the words shown, the name comes from the contents.
function describe(made, item) {
  const own = made.textContent.trim().replace(/\s+/g, ' ');
  const name = moveButton(item)?.getAttribute('aria-label') ?? own;
  const gain = gainOf(item);
  const hint = hintOf(item);
  const isFromContents = hint && name.endsWith(own) && made.querySelectorAll('.label').length < 2; // no space is read between two
  if (gain) {
    const label = made.firstElementChild;
    const line = element('span', '');
    label.replaceWith(line);
    line.append(label, ' ', gain.cloneNode(true));
    if (isFromContents) line.lastElementChild.removeAttribute('aria-hidden');
  }
  if (isFromContents) {
    made.prepend(element('span', 'visually-hidden', name.slice(0, -own.length)));
    made.append(element('span', 'visually-hidden', ` – ${hint.textContent}`));
  } else {
    const words = [name, gain?.textContent].filter(Boolean).join(' ');
    made.setAttribute('aria-label', hint ? `${words.replace(/\s*:$/, '')} – ${hint.textContent}` : words);
  }
  if (!hint) return;
  const shown = hint.cloneNode(true);
  shown.removeAttribute('id');
  shown.setAttribute('aria-hidden', 'true'); // it is in the name already, whole, and there is not always room for it
  made.append(' ', shown);
  made.classList.add('with-note');
  if (own.length + shown.textContent.length <= 44) made.classList.add('with-short-note'); // both on one line of a desk's prompt
}

// A preview that waits for confirmation stays, wherever the pointer is.
const dropPreview = () => { if (!busy && !document.querySelector('#notice .preview')) clearPreview(); };

// Pointing at a choice marks its elements; pointing at a move previews it on the boards.
function markOnHover(made, meant, move) {
  const point = (on) => (event) => {
    if (quiet) return;
    mark(meant, 'is-pointed', on);
    if (on && move && (event.type !== 'focus' || made.matches(':focus-visible'))) showPreview(move);
    else if (!on && move) dropPreview();
  };
  for (const [event, on] of [['pointerenter', true], ['focus', true], ['pointerleave', false], ['blur', false]]) {
    made.addEventListener(event, point(on));
  }
}

function wordButton([item, words]) {
  if (blockedLink(item)) {
    // Not "disabled": pressing it shows the reason.
    const hint = element('span', 'visually-hidden', document.getElementById('choices').dataset.off);
    return button('choice blocked', [label(item), ' ', hint], () => ask([...words, item.dataset.text], ''));
  }
  // What is left to choose has one answer: the button says it, too. The kind of a move alone does not tell the move; an uncommon one
  // is undone at once if it was not meant.
  const way = words.length || isUncommon(item) ? onlyWay(item) : [];
  if (way.length) return wayButton([item, ...way]);
  const end = moveButton(item) && !childList(item);
  // A small screen shows choices without an element first.
  const kind = isUncommon(item) ? 'choice rare' : end ? `choice leaf${elementIds([item]).length ? '' : ' placeless'}` : 'choice';
  const made = button(kind, [label(item)], () => choose(item, words));
  if (isAsked(item)) made.classList.add('asked');
  if (moveButton(item) || hintOf(item)) describe(made, item);
  markOnHover(made, elementIds([item]).length ? elementIds([item]) : uniqueMovesNaming(childList(item), []).flatMap(elementIds), moveButton(item)?.value);
  return made;
}

// The words that distinguish a continuation, without those of the chosen elements.
function distinguishingWords({ words }) {
  const others = words.filter((item) => !chosen.places.includes(item.dataset.place));
  return others.length ? others : words;
}

// Remove the "…" of a word that is followed by its continuation.
function dropEllipsis(word) {
  const texts = document.createTreeWalker(word, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) texts.currentNode.data = texts.currentNode.data.replace(/ …\s*$/, '');
}

// A button for the only move that is left: all its words from here on, or for an uncommon one the first.
function wayButton(chain) {
  const [item] = chain;
  if (isUncommon(item)) {
    const rare = button('choice rare leaf', [label(item)], () => press(chain.at(-1)));
    rare.setAttribute('aria-label', moveButton(chain.at(-1)).getAttribute('aria-label'));
    return rare;
  }
  const said = element('span', '');
  for (const one of chain) said.append(label(one).cloneNode(true), ' ');
  [...said.children].slice(0, -1).forEach(dropEllipsis);
  const made = button(elementIds(chain).length ? 'choice leaf' : 'choice leaf placeless', [said], () => press(chain.at(-1)));
  if (isAsked(chain.at(-1))) made.classList.add('asked');
  describe(made, chain.at(-1));
  markOnHover(made, elementIds(chain), moveButton(chain.at(-1)).value);
  return made;
}

// A button for one of several moves that contain the chosen elements.
function continuationButton({ chains, words, at }) {
  const [chain] = chains;
  const said = element('span', '');
  for (const item of distinguishingWords({ words })) said.append(label(item).cloneNode(true), ' ');
  [...said.children].slice(0, -1).forEach(dropEllipsis);
  const asked = chains.some((one) => isAsked(one.at(-1))) ? ' asked' : '';
  if (chains.length > 1) return button(`choice${asked}`, [said], () => choose(chain[at], [...decided(), ...wordTexts(chain.slice(0, at))]));
  const made = button(`choice leaf${asked}`, [said], () => press(chain.at(-1)));
  describe(made, chain.at(-1));
  markOnHover(made, elementIds(chain), moveButton(chain.at(-1)).value);
  return made;
}

// Uncommon variants of the choice: a link for each, after the other choices.
function uncommonLinks(chains) {
  const groups = new Map();
  for (const chain of chains) {
    const at = chain.findIndex(isUncommon);
    if (at >= 0) groups.set(chain[at], [...(groups.get(chain[at]) ?? []), chain]);
  }
  const links = [...groups].map(([item, its]) => button('choice rare', [label(item)], () => {
    const [chain] = its;
    if (its.length === 1) press(chain.at(-1));
    else choose(item, [...decided(), ...wordTexts(chain.slice(0, chain.indexOf(item)))]);
  }));
  return links.length ? [element('div', 'uncommon', ...links)] : [];
}

// Blocked words, each as an option, collapsed under a heading with their number.
function collapsedBlocked(shut) {
  const heading = element('summary', '', `${document.getElementById('tree').dataset.off} (${shut.length})`);
  const made = element('details', 'standing-back', heading, element('div', 'options', ...shut));
  made.open = shown;
  made.addEventListener('toggle', () => { shown = made.open; });
  return made;
}

// A button that undoes the last step of the choice.
const wayBack = () => (before.length ? [button('small back', [document.getElementById('choices').dataset.back], back)] : []);

// At the end of the dock's line: undo the last step of the choice, or else the last move; before the first one, a hint.
function dockEnd() {
  const [undo, hint] = ['undo', 'hint'].map((id) => document.getElementById(id));
  if (before.length || !undo) return wayBack();
  if (!undo.disabled) return [button('small dock-undo', [undo.textContent], () => undo.click())];
  if (!hint || hint.disabled) return [];
  const made = button('small dock-hint', [hint.textContent], () => hint.click());
  made.title = hint.textContent;
  return [made];
}

// The words chosen so far, without those that were the only option if a question follows them.
function breadcrumbs(asked) {
  const made = element('p', 'trail');
  if (!docked.matches && !document.getElementById('undo')) made.append(...wayBack());
  let list = tree();
  chosen.path.forEach((word, n) => {
    const item = entries(list).find((entry) => entry.dataset.text === word);
    if (n < chosen.firm || !asked) made.append(element('span', 'step', label(item).cloneNode(true)));
    list = childList(item);
  });
  if (docked.matches) {
    const [chain] = matchingMoves();
    for (const item of chain.filter((one) => chosen.places.includes(one.dataset.place))) made.append(element('span', 'step', label(item).cloneNode(true)));
  }
  return made;
}

function heading(asked) {
  if (!asked) return [];
  const made = element('h3', 'asks', asked);
  made.id = 'asks';
  return [made];
}

// Word by word: the words that may follow, and the alternatives along forced words.
function words() {
  const list = childrenAfter(chosen.path);
  const all = [...entries(list).map((item) => [item, chosen.path]), ...alternativesAlong(chosen.path, chosen.firm)];
  const shut = all.filter(([item]) => blockedLink(item));
  const allowed = all.filter(([item]) => !blockedLink(item));
  const common = allowed.filter(([item]) => !isUncommon(item));
  const between = common.length ? common : allowed; // where only uncommon choices are left, they are the choices
  const rares = common.length ? allowed.filter(([item]) => isUncommon(item)) : [];
  const options = between.map(wordButton);
  for (const one of options) one.classList.remove('rare');
  return {
    asked: list.dataset.asks,
    alone: !chosen.firm && between.every(([item]) => entries(list).includes(item)),
    options,
    rest: [
      ...(rares.length ? [element('div', 'uncommon', ...rares.map(wordButton))] : []),
      ...(shut.length ? [collapsedBlocked(shut.map(wordButton))] : []),
    ],
  };
}

// A grid of moves: its first parameter down, its last one across, with what each move gains.
function grid() {
  const kind = entries(tree()).find((item) => item.dataset.text === chosen.path[0]);
  const { rows, columns, numbers, moveAt } = gridRows(kind);
  const isPossible = (item) => rows.some((row) => columns.some((column) => moveAt(row, item.dataset.text, column).item));
  number ||= (numbers.findLast(isPossible) ?? numbers.at(-1)).dataset.text;
  const cell = (row, column) => {
    const { words, item, names } = moveAt(row, number, column);
    if (!item) {
      const off = element('span', 'visually-hidden', `${names} ${document.getElementById('choices').dataset.off}`);
      return element('td', '', button('choice blocked', [element('span', 'label', '·'), off], () => ask(words, '')));
    }
    const gain = gainOf(item)?.textContent.trim() ?? '0';
    const made = button(`choice leaf${isAsked(item) ? ' asked' : ''}`, [gain], () => press(item));
    made.setAttribute('aria-label', `${moveButton(item).getAttribute('aria-label')} ${gain}`);
    markOnHover(made, elementIds([row, item]), moveButton(item).value);
    return element('td', '', made);
  };
  const head = (item, scope) => Object.assign(element('th', '', label(item).cloneNode(true)), { scope });
  const corner = element('td', 'axes', element('span', 'across', kind.dataset.across), ' ', element('span', 'down', kind.dataset.down));
  const [top, body] = [element('thead', '', element('tr', '', corner, ...columns.map((item) => head(item, 'col')))), element('tbody', '')];
  for (const row of rows) body.append(element('tr', blockedLink(row) ? 'is-off' : '', head(row, 'row'), ...columns.map((column) => cell(row, column))));
  const made = element('div', 'numbers', ...numbers.map((item) => {
    const one = button('small', [label(item)], () => { number = item.dataset.text; draw(); document.querySelector('#choices .numbers [aria-pressed="true"]').focus(); });
    one.setAttribute('aria-pressed', item.dataset.text === number);
    return one;
  }));
  const others = alternativesAlong(chosen.path.slice(0, 1), chosen.firm).map(wordButton);
  const asked = [childList(kind).dataset.asks, columns[0].parentElement.dataset.asks].join(' ');
  return { asked, lead: [made], options: [element('table', 'grid', top, body)], rest: others.length ? [collapsedBlocked(others)] : [] };
}

const isGrid = () => !chosen.places.length && chosen.firm < 2 && entries(tree()).some((item) => 'grid' in item.dataset && item.dataset.text === chosen.path[0]);

// If all moves have the same hint, show it once, with the first; it still describes each of them.
function hintOnce(made) {
  const notes = made.map((one) => one.querySelector('.note'));
  if (notes[0] && notes.every((one) => one?.textContent === notes[0].textContent)) {
    for (const [n, one] of made.entries()) if (n) { notes[n].remove(); one.classList.remove('with-note'); }
  }
  return made;
}

// Of moves of a grid, those with the last alternative of its switch come first, as the grid shows them first.
function byNumber(found) {
  if (!found.every(({ chains: [[kind]] }) => 'grid' in kind.dataset)) return found;
  const numbered = ({ chains: [[, , number]] }) => entries(number.parentElement).indexOf(number);
  return [...found].sort((one, other) => numbered(other) - numbered(one));
}

// By elements: the moves that remain.
function continuations() {
  const chains = matchingMoves();
  const found = byNumber(distinguish(preferCommon(chains), preferCommon(movesNaming(childrenAfter(decided()), chosen.places))));
  const rest = withoutUncommon(chains).length ? uncommonLinks(chains) : [];
  // The dock shows the whole move.
  if (docked.matches && found.length === 1) return { asked: '', options: [continuationButton({ ...found[0], words: found[0].chains[0] })], rest };
  const asked = distinguishingWords(found[0]).at(-1).parentElement.dataset.asks;
  return { asked, options: hintOnce(found.map(continuationButton)), rest };
}

// The element at which the question is asked: the last one chosen, unless the move needs others after it.
function anchorPlace() {
  const where = chosen.places.at(-1);
  return where && matchingMoves().every((chain) => elementIds(chain).at(-1) === where) ? where : undefined;
}

// What the task of a lesson accepts is marked, unless it accepts everything; where not all choices are in sight, it comes first.
function markAsked(options) {
  const asked = options.filter((one) => one.matches('.asked'));
  if (asked.length > 1 && asked.length === options.length) for (const one of asked) one.classList.remove('asked');
  return docked.matches ? [...asked, ...options.filter((one) => !asked.includes(one))] : options;
}

// The undo button below the choices also undoes a step of the choice.
function updateUndo() {
  const undo = document.getElementById('undo');
  undo?.classList.toggle('back', before.length > 0);
  if (undo) undo.disabled = !before.length && 'off' in undo.dataset;
}

// Whether the dock has no room for a choice at its usual size. One with a note has, unless the way out stands beside it.
function isLong(one, besideWayOut) {
  const lengths = [...one.children].filter((part) => !part.matches('.visually-hidden')).map((part) => part.textContent.length);
  return one.matches('.with-note') ? besideWayOut && Math.max(...lengths) > 24 : lengths.reduce((sum, length) => sum + length, 0) > 30;
}

function draw() {
  const box = document.getElementById('choices');
  updateUndo();
  box?.classList.toggle('with-grid', isGrid());
  if (!box) { chosen.places = []; markPlaces(); return; }
  if (!isGrid()) number = '';
  const { asked: question, alone, lead = [], options, rest } = chosen.places.length ? continuations() : isGrid() ? grid() : words();
  const asked = alone || (docked.matches && !before.length) ? '' : question; // the heading of the prompt asks it already
  const group = element('div', 'options', ...markAsked(options));
  group.classList.toggle('is-grid', isGrid());
  group.classList.toggle('with-notes', options.some((one) => one.classList.contains('with-note')));
  group.classList.toggle('with-way-out', options.length > 1 && options.filter((one) => one.classList.contains('placeless')).length === 1);
  for (const one of options) one.classList.toggle('is-long', isLong(one, group.matches('.with-way-out')));
  group.setAttribute('role', 'group');
  group.setAttribute('aria-labelledby', asked ? 'asks' : 'prompt-title');
  const hint = !chosen.places.length && options.length > 12 && document.getElementById('map-static') ? [element('p', 'hint', box.dataset.mapHint)] : [];
  box.replaceChildren(breadcrumbs(question), ...heading(asked), ...hint, ...lead, group, ...(docked.matches ? dockEnd() : []), ...rest);
  for (const [n, one] of [...box.querySelectorAll('.choice:not(.blocked)')].slice(0, 9).entries()) one.dataset.digit = n + 1;
  markPlaces();
}

function mark(meant, name, on) {
  for (const where of meant) {
    for (const shape of document.querySelectorAll(`[data-place="${CSS.escape(where)}"]`)) shape.classList.toggle(name, on);
  }
}

// Mark the element at which one more click plays what is shown.
function updateAgain() {
  const where = chosen.places.at(-1);
  const shown = where && (document.querySelector('#notice #confirm') || (isNamedFirst(where) && onlyMoveAt(where, chosen.places)));
  markAgain(shown ? where : undefined);
}

// While the board shows an older position, nothing can be chosen.
function markPlaces() {
  const mine = document.getElementById('choices') !== null && !isBehind();
  const moves = mine ? matchingMoves() : [];
  const legal = new Set(moves.flatMap(elementIds));
  const asked = moves.filter((chain) => isAsked(chain.at(-1)));
  const wanted = new Set(asked.length < moves.length ? asked.flatMap(elementIds) : []);
  for (const shape of document.querySelectorAll('#map-static [data-place], #panel [data-place], #strip [data-place]')) {
    shape.classList.toggle('is-target', legal.has(shape.dataset.place));
    shape.classList.toggle('is-blocked', mine && !legal.has(shape.dataset.place));
    shape.classList.toggle('is-asked', wanted.has(shape.dataset.place) && !chosen.places.includes(shape.dataset.place));
    shape.classList.toggle('is-chosen', mine && chosen.places.includes(shape.dataset.place));
    shape.classList.remove('is-pointed');
  }
  markReachers(chosen.places.length ? [] : moves);
  updateAgain();
  updateCollapsed();
  updateTabStops();
}

// On a phone, what can be chosen on the boards may be out of sight: scroll to it, once for each question, so that all of it is seen,
// or some if it is higher than the screen. A map stays where it is, and a lesson says where to look.
function bringIntoView() {
  const question = `${seen} ${before.length}`;
  if (!phone.matches || question === broughtFor || document.querySelector('#lesson, #map-static') || isBehind()) return;
  broughtFor = question;
  const boxes = [...document.querySelectorAll('#panel .is-target')].map((one) => one.getBoundingClientRect()).filter(({ height }) => height);
  if (!boxes.length) return;
  const from = Math.max(...[...document.querySelectorAll('.site-header, #stage')].map((one) => one.getBoundingClientRect().bottom)) + ABOVE;
  const to = document.getElementById('prompt').getBoundingClientRect().top;
  const isSeen = ({ top, bottom }) => top >= from && bottom <= to;
  const all = { top: Math.min(...boxes.map(({ top }) => top)), bottom: Math.max(...boxes.map(({ bottom }) => bottom)) };
  if (isSeen(all) || (all.bottom - all.top > to - from && boxes.some(isSeen))) return;
  scrollBy({ top: all.top - from, behavior: 'instant' });
}

// --- Choosing. ---

function focusFirst() {
  const first = document.querySelector('#choices .choice:not(.blocked)') ?? document.querySelector('#choices button');
  first?.focus({ preventScroll: true });
}

// Focus without the effects of pointing.
function focusQuietly() {
  quiet = true;
  focusFirst();
  quiet = false;
}

// Whether the focus may go to the choices: not while something is typed, nor out of an open menu.
const mayTakeFocus = () => !document.activeElement?.closest(`${TYPED}, #menu[open], [popover]`);

// Redraw the same choices and keep the focus among them.
function redraw() {
  const focused = document.activeElement.closest('#choices');
  draw();
  if (focused) focusQuietly();
}

function select(next) {
  before.push(chosen);
  chosen = next;
  clear();
  draw();
  bringIntoView();
}

function choose(item, words) {
  if (moveButton(item)) { press(item); return; }
  const path = [...words, item.dataset.text];
  select({ path: chosen.places.length ? path : followForced(path), firm: path.length, places: chosen.places });
  focusFirst();
}

function back() {
  chosen = before.pop() ?? emptySelection();
  clear();
  draw();
  if (!focusNext(from)) focusFirst();
}

export function foldBlocked() {
  shown = false;
}

function begin() {
  chosen = emptySelection();
  before = [];
}

function press(item) {
  if (busy) return;
  busy = true;
  document.getElementById('choices').setAttribute('aria-busy', 'true');
  clear();
  moveButton(item).click();
}

function free() {
  busy = false;
  document.getElementById('choices')?.removeAttribute('aria-busy');
}

function clear() {
  const notice = document.getElementById('notice');
  notice?.replaceChildren();
  noteStates(); // the choices are visible again and may take the focus
  dropPreview();
}

function ask(words, where) {
  const query = new URLSearchParams({ words: words.join(' ') });
  if (where) query.set('place', where);
  for (const name of ['me', 'moves']) {
    const value = document.getElementById('live').dataset[name];
    if (value) query.set(name, value);
  }
  window.htmx.ajax('GET', `${table()}/why?${query}`, { target: '#notice', swap: 'innerHTML' });
}

// The chosen elements after one more: with the others if some move contains them all, otherwise alone.
function placesWith(where) {
  const both = [...chosen.places.filter((one) => one !== where), where];
  return matchingMoves(both).length ? both : [where];
}

// The move that ends at this element, if there is exactly one.
function onlyMoveAt(where, places) {
  const [only, ...others] = withoutUncommon(matchingMoves(places));
  return only && !others.length && elementIds(only).at(-1) === where ? only.at(-1) : null;
}

// A finger covers the hex: the first tap names it and its effect, the second one plays.
const isNamedFirst = (where) => tapped && document.querySelector(`#map-static [data-place="${CSS.escape(where)}"]`) !== null;

// An element was chosen. If exactly one move ends there, it is played; choosing the element again confirms a preview. Several moves
// are offered as buttons. A second element narrows the choice; if no move contains both, it replaces the first.
function onPlaceChosen(where) {
  if (busy || Number(document.getElementById('live').dataset.version) !== seen) return;
  if (!document.getElementById('choices')) { ask([], where); return; }
  const confirm = document.querySelector('#notice #confirm');
  if (confirm && chosen.places.at(-1) === where) { confirm.click(); return; }
  let places = placesWith(where);
  if (!matchingMoves(places).length) {
    // A choice that is blocked after the words so far may be allowed after others.
    if (!uniqueMovesNaming(tree(), [where]).length) { ask(chosen.places.length ? decided() : chosen.path, where); return; }
    begin();
    places = [where];
  }
  const again = chosen.places.join() === places.join();
  if (!again) select({ ...chosen, places });
  const only = onlyMoveAt(where, places);
  if (only && (again || !isNamedFirst(where))) { press(only); return; }
  if (only) showPreview(moveButton(only).value, true);
  if (anchorPlace() || !from) focusFirst();
}

document.addEventListener('spieltisch:place', (event) => {
  from = focusedRegion();
  onPlaceChosen(event.detail);
});
document.addEventListener('spieltisch:map', redraw);
document.addEventListener('spieltisch:boards', () => {
  markPlaces();
  if (isMine) bringIntoView();
});
document.addEventListener('spieltisch:focus-lost', focusQuietly);
docked.addEventListener('change', redraw);
addEventListener('pointerdown', ({ pointerType }) => { tapped = pointerType === 'touch'; }, true);
addEventListener('keydown', () => { tapped = false; }, true);

let seen = Number(document.getElementById('live').dataset.version);
let isMine = document.getElementById('choices') !== null; // whether the player decides

// Between the morph of a push and the event that reports it, the choices are still those of the old position, but the moves behind
// them and the version that would be sent are new: a click would play another move than its button shows. It is ignored; the next
// drawing can be clicked.
document.addEventListener('click', (event) => {
  if (Number(document.getElementById('live').dataset.version) === seen) return;
  if (!event.target.closest('#choices, #notice, #map, #panel, #strip')) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);

document.addEventListener('spieltisch:changed', () => {
  seen = Number(document.getElementById('live').dataset.version);
  clearPreview(true);
  const begins = !isMine;
  isMine = document.getElementById('choices') !== null;
  const inside = begins || document.activeElement === document.body || document.activeElement?.closest('#prompt');
  const placed = begins ? null : focusedRegion() ?? (inside ? from : null);
  free();
  clear();
  begin();
  draw();
  from = null;
  document.getElementById('prompt').scrollTop = 0;
  if (isMine && !(placed && focusNext(placed)) && inside && mayTakeFocus()) focusQuietly();
  if (isMine) bringIntoView();
});

document.addEventListener('htmx:after:swap', (event) => {
  const notice = document.getElementById('notice');
  if (!notice?.hasChildNodes()) return;
  free();
  document.getElementById('menu')?.removeAttribute('open'); // an open menu would cover the answer
  if (notice.querySelector('.preview') && chosen.places.length) {
    notice.querySelector('.preview').append(...uncommonLinks(matchingMoves()));
  }
  const confirm = document.getElementById('confirm');
  confirm?.focus({ preventScroll: true });
  updateAgain();
  if (confirm?.name === 'move') showPreview(confirm.value, true);
  document.getElementById('prompt').scrollTop = 0;
});
document.addEventListener('htmx:error', free);
document.addEventListener('htmx:before:swap', ({ detail }) => {
  clearPreview();
  // If the focused element is removed, the browser lays out the whole change twice.
  const { activeElement } = document;
  if (detail.ctx.target?.id === 'live' && activeElement.closest('#choices')) activeElement.blur();
});

// Pointing at an element with exactly one move previews it.
document.addEventListener('pointerover', (event) => {
  if (busy || event.pointerType !== 'mouse' || !document.getElementById('choices') || document.querySelector('#notice .preview')) return;
  const where = event.target.closest?.('#map-static .is-target, #panel .is-target, #strip .is-target')?.dataset.place;
  const item = where && onlyMoveAt(where, placesWith(where));
  if (item) showPreview(moveButton(item).value);
  else if (!event.target.closest?.('#choices')) clearPreview();
});

// Close the preview; an element that was chosen for it is released, too.
function dismiss() {
  clear();
  if (chosen.places.length) back();
  else focusFirst();
}

document.addEventListener('click', (event) => {
  const asked = document.querySelector('#notice .preview');
  if (!event.target.closest('#undo') || !(asked || before.length)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (asked) dismiss();
  else back();
}, true);

document.addEventListener('click', (event) => {
  if (event.target.closest('[data-do="dismiss"]')) dismiss();
  else if (chosen.places.length && event.target.closest('#map, #panel, .head, .story') && !event.target.closest('[data-place], button, a')) {
    begin();
    clear();
    draw();
  }
});

// Keys while nothing is being typed and the focus is at the table or nowhere: a digit presses a choice, or an answer to a confirmation; U goes
// one step back.
function pressByKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || busy) return;
  if (!event.target.closest('#live') && event.target !== document.body) return;
  if (event.target.closest(TYPED)) return;
  const preview = document.querySelector('#notice .preview');
  const digit = digitOf(event);
  if (digit) {
    (preview ? preview.querySelectorAll('.actions button')[digit - 1] : document.querySelector(`#choices [data-digit="${digit}"]`))?.click();
  } else if (event.key.toLowerCase() === 'u') {
    if (preview) dismiss();
    else if (before.length) back();
    else document.getElementById('undo')?.click();
  } else return;
  event.preventDefault();
}
document.addEventListener('keydown', pressByKey);

document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || event.target.closest(`${TYPED}, [popover]`)) return;
  if (document.getElementById('notice')?.hasChildNodes()) dismiss();
  else if (before.length) back();
});

draw();
// For a player who opens the table to move, focus the first choice, unless the URL names a part of the page.
if (document.activeElement === document.body && !location.hash && document.querySelector('#live.running #choices')) focusQuietly();
