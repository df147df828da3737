/** What the pages do in a browser; each of them reads well without it. */
import { copyButtons } from "./copy-buttons.ts";
import { fileLinks } from "./file-links.ts";
import { menu } from "./menu.ts";
import { outlineMarker } from "./outline-marker.ts";
import { searchButton } from "./search-button.ts";
import { skipLink } from "./skip-link.ts";
import { themeSwitch } from "./theme-switch.ts";

themeSwitch();
skipLink();
searchButton();
copyButtons();
menu();
outlineMarker();
fileLinks();
