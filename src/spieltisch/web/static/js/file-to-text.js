// Puts a chosen file into the text field; without a script, the text is pasted there.
for (const fileField of document.querySelectorAll('[data-target-field]')) {
  fileField.hidden = false;
  fileField.addEventListener('change', async ({ target }) => {
    const [file] = target.files;
    if (file) document.getElementById(fileField.dataset.targetField).value = await file.text();
  });
}
