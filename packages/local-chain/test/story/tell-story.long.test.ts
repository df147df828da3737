import { CHAPTERS } from "../../src/story/tell-story.ts";
import { testStory } from "./tell-story.ts";

testStory(CHAPTERS.head, 60);
