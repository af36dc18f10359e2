// The rules: on a phone, chapters and contents are collapsed; a link into a chapter, or a search result, expands it.

const phoneQuery = matchMedia('(max-width: 51.99rem)');
const chapters = [...document.querySelectorAll('.chapter')];
const tableOfContents = document.getElementById('table-of-contents');
const searchField = document.getElementById('rule-search');

// Search ignores case and accents.
const normalizeText = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

function collapseOnPhone() {
  for (const chapter of chapters) chapter.open = !phoneQuery.matches;
  if (tableOfContents) tableOfContents.open = !phoneQuery.matches;
}

function openTargetChapter() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const chapter = target?.closest('.chapter');
  if (!chapter) return;
  chapter.open = true;
  target.scrollIntoView();
}

function searchRules() {
  const searchText = normalizeText(searchField.value.trim());
  for (const paragraph of document.querySelectorAll('.chapter > p, .chapter li, .chapter tbody tr')) paragraph.hidden = !normalizeText(paragraph.textContent).includes(searchText);
  for (const heading of document.querySelectorAll('.chapter > :is(h3, h4)')) heading.hidden = searchText !== '';
  for (const chapter of chapters) {
    chapter.hidden = !chapter.querySelector(':is(p, li, tbody tr):not([hidden])') && searchText !== '';
    if (searchText) chapter.open = true;
  }
  const notFoundNotice = document.getElementById('not-found-notice');
  notFoundNotice.textContent = chapters.every((chapter) => chapter.hidden) ? notFoundNotice.dataset.noResults : '';
  if (!searchText) collapseOnPhone();
}

document.addEventListener('click', (event) => {
  const link = event.target.closest('.contents a, .rules-text a[href^="#"]');
  if (!link) return;
  if (phoneQuery.matches && tableOfContents) tableOfContents.open = false;
  if (link.hash === location.hash) openTargetChapter(); // no hashchange event in this case
});
addEventListener('hashchange', openTargetChapter);
addEventListener('beforeprint', () => { for (const chapter of chapters) chapter.open = true; });
if (searchField) {
  searchField.addEventListener('input', searchRules);
  searchField.parentElement.hidden = false;
  searchField.closest('.contents').classList.add('is-pinned'); // without a script it would cover its target
}
phoneQuery.addEventListener('change', collapseOnPhone);
collapseOnPhone();
openTargetChapter();
