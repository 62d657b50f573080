import SwaggerUI from "swagger-ui-dist/swagger-ui-es-bundle.js";
import "swagger-ui-dist/swagger-ui.css";
import "./api-docs.css";

const ui = SwaggerUI({
  url: "/api/openapi.json",
  dom_id: "#docs",
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  defaultModelExpandDepth: 3,
  displayRequestDuration: true,
  filter: true,
  tryItOutEnabled: true,
  validatorUrl: null,
  // A sign-in on this page authorizes its other calls.
  responseInterceptor(response) {
    const isSignIn = /\/api\/auth\/(login|second-factor|refresh)$/.test(response.url);
    // A sign-in that still needs a code has no token.
    const token = isSignIn && response.ok ? response.body.data.token : undefined;
    if (token !== undefined) ui.preauthorizeApiKey("bearer", token);
    return response;
  },
});
