// Marks the players who have the page of this table open. A push draws the players anew, without the marks.
const viewersElement = document.getElementById('viewers');

function markPresent() {
  const presentSeatsElement = viewersElement.querySelector('[data-present-seats]');
  if (!presentSeatsElement) return;
  const presentSeats = presentSeatsElement.dataset.presentSeats.split(' ');
  for (const playerRow of document.querySelectorAll('#player-list > .seat-kind-person')) {
    playerRow.toggleAttribute('data-is-present', presentSeats.includes(playerRow.id.slice('seat-'.length)));
    playerRow.querySelector('.presence')?.remove();
    if (!playerRow.hasAttribute('data-is-present')) continue;
    const presenceText = document.createElement('span');
    presenceText.className = 'visually-hidden presence';
    presenceText.textContent = ` (${presentSeatsElement.dataset.presentLabel})`;
    playerRow.querySelector('.seat-name').after(presenceText);
  }
}

if (viewersElement) {
  viewersElement.addEventListener('spieltisch:fragment-updated', markPresent);
  document.addEventListener('spieltisch:page-updated', markPresent);
  document.addEventListener('spieltisch:position-shown', markPresent); // playback draws them, too
}
