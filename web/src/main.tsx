// Starts the page: styles, services, the first render. Nothing else belongs here.

import { render } from "preact";
import "./style/tokens.css";
import "./style/base.css";
import "./style/controls.css";
import "./style/search.css";
import "./style/code.css";
import "./style/indexes.css";
import { applyTheme } from "./state/prefs";
import { App } from "./ui/App";
import { createServices, ServicesProvider } from "./ui/services";

const services = createServices();
applyTheme(services.theme.value);
services.indexes.start();

const root = document.getElementById("app");
if (root) {
  render(
    <ServicesProvider value={services}>
      <App />
    </ServicesProvider>,
    root,
  );
}
