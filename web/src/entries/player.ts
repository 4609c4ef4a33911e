import Player from "../screens/Player.svelte";
import { begin } from "./begin";

begin(Player);
