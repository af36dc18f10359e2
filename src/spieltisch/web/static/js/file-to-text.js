// A file that somebody chooses is put into the field for its text; without a script one pastes it there.
for (const field of document.querySelectorAll('[data-into]')) {
  field.hidden = false;
  field.addEventListener('change', async ({ target }) => {
    const [file] = target.files;
    if (file) document.getElementById(field.dataset.into).value = await file.text();
  });
}
