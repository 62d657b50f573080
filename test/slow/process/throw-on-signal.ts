// Loaded before the server: makes it stumble over errors that no code of its own expects.
process.on("SIGUSR2", () => {
  void Promise.reject(new Error("nobody awaited this"));
  setTimeout(() => {
    throw new Error("nobody caught this");
  });
});
