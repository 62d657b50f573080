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
    const isSignIn = /\/api\/auth\/(login|refresh)$/.test(response.url);
    if (response.ok && isSignIn) ui.preauthorizeApiKey("bearer", response.body.data.token);
    return response;
  },
});
