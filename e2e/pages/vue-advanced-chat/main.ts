/** Mounts the page. */
import { createApp } from 'vue';
import Room from './room.vue';

createApp(Room).mount('#app');
