// Announces in the lobby the table that was found for someone who waits, and brings them there: at once, or when they come back to this
// tab.
import { announce } from './turn-alert.js';

const seeksElement = document.querySelector('.seeks');
const findTableUrl = () => seeksElement.querySelector('[data-found-table]')?.getAttribute('href');
let knownTableUrl = findTableUrl(); // the page was loaded after it was found

async function bringToTable() {
  const tableUrl = findTableUrl();
  if (!tableUrl || tableUrl === knownTableUrl) return;
  knownTableUrl = tableUrl;
  const { topic, version } = seeksElement.dataset;
  document.title = `● ${seeksElement.textContent.trim()}`;
  await announce({ topic, version, tableUrl });
  if (!document.hidden) location.assign(tableUrl);
  else document.addEventListener('visibilitychange', () => location.assign(tableUrl), { once: true });
}

seeksElement.addEventListener('spieltisch:fragment-updated', bringToTable);
