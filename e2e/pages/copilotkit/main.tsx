/**
 * CopilotKit's provider and chat over its own runtime, as the quick-start puts them together. `?scenario=` is the agent's
 * name, `?variant=v2` takes the chat of the second version of the packages.
 */
import { CopilotKit } from '@copilotkit/react-core';
import { CopilotChat as ChatV2, CopilotKit as CopilotKitV2 } from '@copilotkit/react-core/v2';
import { CopilotChat } from '@copilotkit/react-ui';
import '@copilotkit/react-core/v2/styles.css';
import '@copilotkit/react-ui/styles.css';
import { createRoot } from 'react-dom/client';

const query = new URLSearchParams(location.search);
const agent = query.get('scenario') ?? 'completed';

createRoot(document.getElementById('root')!).render(
  query.get('variant') === 'v2' ? (
    <CopilotKitV2 runtimeUrl="/api/copilotkit" agentId={agent} enableInspector={false}>
      <ChatV2 agentId={agent} />
    </CopilotKitV2>
  ) : (
    <CopilotKit runtimeUrl="/api/copilotkit" agent={agent} enableInspector={false}>
      <CopilotChat labels={{ title: 'Assistant', initial: 'How can I help?' }} />
    </CopilotKit>
  ),
);
