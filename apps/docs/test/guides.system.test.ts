import { checkGuides } from "./guide-checks.ts";

checkGuides({ isShort: true });
