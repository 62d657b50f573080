import "./styles/theme.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Toaster } from "@/components/ui/toaster";
import { DevUiPage } from "@/pages/dev-ui/dev-ui-page";

/** Entry of dev-ui.html, which the development server alone serves: the build starts from index.html. */
const root = document.getElementById("root");
if (root === null) throw new Error("dev-ui.html has no #root");
createRoot(root).render(
  <StrictMode>
    <DevUiPage />
    <Toaster />
  </StrictMode>,
);
