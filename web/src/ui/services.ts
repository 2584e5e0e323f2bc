// What every component may use, made once and handed down by context: no component makes its own connection.

import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { Client } from "../api/client";
import { TokenKeeper } from "../api/token";
import { Controller } from "../state/controller";
import { EDITORS, type EditorId } from "../state/editor";
import { Indexes } from "../state/indexes";
import { Preference, THEMES, type Theme } from "../state/prefs";
import { Store } from "../state/store";
import { Address } from "../state/url";

export interface Services {
  address: Address;
  controller: Controller;
  indexes: Indexes;
  token: TokenKeeper;
  theme: Preference<Theme>;
  editor: Preference<EditorId>;
  /** A short message for everybody, also for those who do not see it. */
  notice: Store<string>;
  help: Store<boolean>;
}

export function createServices(): Services {
  const token = new TokenKeeper(sessionStorage);
  const client = new Client(token);
  const address = new Address(window);
  const indexes = new Indexes(client);
  return {
    address,
    controller: new Controller(client, address, indexes),
    indexes,
    token,
    theme: new Preference("wherein.theme", THEMES, "auto"),
    editor: new Preference<EditorId>("wherein.editor", EDITORS.map(({ id }) => id), "vscode"),
    notice: new Store(""),
    help: new Store(false),
  };
}

const Context = createContext<Services | null>(null);

export const ServicesProvider = Context.Provider;

export function useServices(): Services {
  const services = useContext(Context);
  if (!services) throw new Error("components stand below the provider of services");
  return services;
}
