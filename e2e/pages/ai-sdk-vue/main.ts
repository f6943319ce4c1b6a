/** Mounts the page of the form that the query asks for: `start` as the quick-start has it, `status` as its next chapters go on. */
import { createApp } from 'vue';
import Start from './start.vue';
import Status from './status.vue';

const form = new URLSearchParams(location.search).get('form');
createApp(form === 'status' ? Status : Start).mount('#app');
