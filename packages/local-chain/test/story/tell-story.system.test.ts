import { CHAPTERS } from "../../src/story/tell-story.ts";
import { testStory } from "./tell-story.ts";

testStory(CHAPTERS.gift + 1, 2);
