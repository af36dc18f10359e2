// The rules: on a phone, chapters and contents are collapsed; a link into a chapter, or a search result, expands it.

const phone = matchMedia('(max-width: 51.99rem)');
const chapters = [...document.querySelectorAll('.chapter')];
const contents = document.getElementById('contents');
const search = document.getElementById('search');

// Search ignores case and accents.
const plain = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

function fold() {
  for (const one of chapters) one.open = !phone.matches;
  if (contents) contents.open = !phone.matches;
}

function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const chapter = target?.closest('.chapter');
  if (!chapter) return;
  chapter.open = true;
  target.scrollIntoView();
}

function find() {
  const wanted = plain(search.value.trim());
  for (const one of document.querySelectorAll('.chapter > p, .chapter li, .chapter tbody tr')) one.hidden = !plain(one.textContent).includes(wanted);
  for (const one of document.querySelectorAll('.chapter > :is(h3, h4)')) one.hidden = wanted !== '';
  for (const one of chapters) {
    one.hidden = !one.querySelector(':is(p, li, tbody tr):not([hidden])') && wanted !== '';
    if (wanted) one.open = true;
  }
  const none = document.getElementById('not-found');
  none.textContent = chapters.every((one) => one.hidden) ? none.dataset.none : '';
  if (!wanted) fold();
}

document.addEventListener('click', (event) => {
  const link = event.target.closest('.contents a, .rules a[href^="#"]');
  if (!link) return;
  if (phone.matches && contents) contents.open = false;
  if (link.hash === location.hash) openTarget(); // no hashchange event in this case
});
addEventListener('hashchange', openTarget);
addEventListener('beforeprint', () => { for (const one of chapters) one.open = true; });
if (search) {
  search.addEventListener('input', find);
  search.parentElement.hidden = false;
  search.closest('.contents').classList.add('is-kept'); // without a script it would cover its target
}
phone.addEventListener('change', fold);
fold();
openTarget();
