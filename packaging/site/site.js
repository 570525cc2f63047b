// The theme keeps the colours that it found at the first visit; when the system's are others than at the last one, they are followed.
(() => {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const follow = () => {
    const scheme = system.matches ? "slate" : "default";
    if (localStorage.getItem("memcity-system-scheme") === scheme) return;
    localStorage.setItem("memcity-system-scheme", scheme);
    document.querySelector(`input[data-md-color-scheme="${scheme}"]`)?.click();
    document.body.setAttribute("data-md-color-scheme", scheme);
  };
  follow();
  system.addEventListener("change", follow);
})();
