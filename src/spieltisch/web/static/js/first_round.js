// A guided first round: moves and steps without loading the page anew, so that pieces travel. What a move leads to is said by the
// server; where the learner stands is in the address.
import './choices.js';
import './map.js';

const live = () => document.getElementById('live');
let wanted = 0; // counts requests, so that a late answer does not overtake a newer one

async function ask(address) {
  const mine = ++wanted;
  const answer = await fetch(address, { headers: { 'HX-Request': 'true' } });
  const html = await answer.text();
  if (mine !== wanted) return;
  const there = new URL(answer.url);
  if (there.pathname.endsWith('/play')) tell(html);
  else if (answer.ok) await show(html, there);
  else location.assign(address);
}

// A word about the move that was chosen; nothing was played.
function tell(html) {
  document.dispatchEvent(new CustomEvent('spieltisch:changed'));
  document.getElementById('notice').innerHTML = html;
  document.getElementById('prompt').scrollTop = 0;
}

async function show(html, there) {
  if (there.pathname !== location.pathname) history.pushState(null, '', there);
  await window.htmx.swap({ sourceElement: live(), target: live(), text: html, swap: 'outerMorph' });
  document.dispatchEvent(new CustomEvent('spieltisch:changed'));
  document.getElementById('said').textContent = live().dataset.said;
  document.getElementById('prompt').scrollTop = 0;
  scrollTo({ top: 0 });
  document.getElementById('lesson-title').focus({ preventScroll: true });
}

document.addEventListener('submit', (event) => {
  if (event.target.id !== 'act' || !event.submitter) return;
  event.preventDefault();
  const address = new URL(event.submitter.formAction);
  address.searchParams.set('move', event.submitter.value);
  ask(address);
});

document.addEventListener('click', (event) => {
  const link = event.target.closest('[data-go]');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  ask(link.href);
});

addEventListener('popstate', () => ask(location.href));
