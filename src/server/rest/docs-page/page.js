import { translate } from "/api/docs/words.js";

const container = document.querySelector("#docs");
translate(container);

const ui = globalThis.SwaggerUIBundle({
  url: "/api/openapi.json",
  domNode: container,
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  defaultModelExpandDepth: 3,
  displayRequestDuration: true,
  filter: true,
  persistAuthorization: false,
  tryItOutEnabled: true,
  validatorUrl: null,
  responseInterceptor(response) {
    keepToken(response);
    return response;
  },
});

/** Whoever signs in on this page is signed in for its other calls, until it is closed. */
function keepToken({ ok, url, body }) {
  const path = new URL(url, location.href).pathname;
  if (!ok || (path !== "/api/auth/login" && path !== "/api/auth/refresh")) return;
  ui.preauthorizeApiKey("bearer", body.data.token);
}
